/**
 * Who calls on the mutual-TLS listener, and whether they may. This folder owns the way from a presented certificate to a
 * TPP, the memory of what its last certificate said, and the stop list. It does not own what makes a certificate
 * acceptable (psd2-certificates).
 */
import type { RevocationDemand, TppIdentity, TppVerification } from "@cobs/psd2-certificates";
import type { Clock, IncomingCall } from "@cobs/service-edge";
import type { NoteRefusals } from "./note-refusals.ts";
import type { StopList, StopListKey } from "./stop-list.ts";
import { TppRefusal } from "./tpp-refusal.ts";
import type { TppStore } from "./tpp-store.ts";

/** Which of the two is blocked now, the TPP or its certificate; never cached. */
export type FindBlocked = StopList["findBlocked"];

/**
 * Proves who calls, as surely as the call demands. Rejects with `CertificateRefusal` when there is no certificate or it is
 * not accepted, with `RevocationUnavailable` when nobody says whether it was revoked, and with `TppRefusal` when the TPP
 * or its certificate is blocked at this moment. `findBlocked` asks the stop list in the place of its own look-up: for a call
 * that asks the database for something else besides.
 */
export type IdentifyTpp = (
  call: IncomingCall,
  demand: RevocationDemand,
  findBlocked?: FindBlocked,
) => Promise<TppIdentity>;

/** What identification stands on. */
export interface IdentificationParts {
  readonly verification: TppVerification;
  readonly stopList: Pick<StopList, "findBlocked">;
  readonly tpps: Pick<TppStore, "remember">;
  readonly noteRefusals: NoteRefusals;
  readonly clock: Clock;
}

/** Makes the one function that turns certificates into TPPs, and keeps what was verified (rows 2 and 3 of a call). */
export function createTppIdentification(parts: IdentificationParts): IdentifyTpp {
  const { verification, stopList, tpps, clock } = parts;
  return (call, demand, findBlocked = stopList.findBlocked) =>
    parts.noteRefusals(call, async () => {
      const identity = await verification.identify(call.presentedCertificate, clock.now(), demand);
      // Asked anew for every call, so that a block holds for connections that are open already.
      requireFree(identity, await findBlocked(identity));
      await tpps.remember(identity);
      return identity;
    });
}

function requireFree(
  { organisationIdentifier, thumbprint }: TppIdentity,
  blocked: StopListKey["kind"] | undefined,
): void {
  if (blocked === undefined) return;
  if (blocked === "organisation")
    throw new TppRefusal("tpp_blocked", `${organisationIdentifier} is on the stop list`);
  throw new TppRefusal(
    "certificate_blocked",
    `${thumbprint} of ${organisationIdentifier} is on the stop list`,
  );
}
