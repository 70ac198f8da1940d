/**
 * Identifies the TPP that calls on the mutual-TLS listener, and checks that it may. This folder owns the way from a presented
 * certificate to a TPP, the record of what its last certificate said, and the stop list. It does not own what makes a certificate
 * acceptable (psd2-certificates).
 */
import type { RevocationDemand, TppIdentity, TppVerification } from "@cobs/psd2-certificates";
import type { Clock, IncomingCall } from "@cobs/service-edge";
import type { NoteRefusals } from "./note-refusals.ts";
import type { StopList, StopListKey } from "./stop-list.ts";
import { TppRefusal } from "./tpp-refusal.ts";
import type { TppStore } from "./tpp-store.ts";

/** Finds whether the TPP or its certificate is blocked now; never cached. */
export type FindBlocked = StopList["findBlocked"];

/**
 * Proves which TPP calls, as strictly as `demand` says. Rejects with `CertificateRefusal` when the certificate is missing or not
 * accepted, with `RevocationUnavailable` when its revocation status cannot be found, and with `TppRefusal` when the TPP or its
 * certificate is blocked at this moment. `findBlocked` replaces the look-up in the stop list, for a request that can ask the
 * database for something else in the same statement.
 */
export type IdentifyTpp = (
  call: IncomingCall,
  demand: RevocationDemand,
  findBlocked?: FindBlocked,
) => Promise<TppIdentity>;

/** Parts that identification needs. */
export interface IdentificationParts {
  readonly verification: TppVerification;
  readonly stopList: Pick<StopList, "findBlocked">;
  readonly tpps: Pick<TppStore, "remember">;
  readonly noteRefusals: NoteRefusals;
  readonly clock: Clock;
}

/** Creates the single function that turns certificates into TPPs, and remembers what was verified (rows 2 and 3 of a call). */
export function createTppIdentification(parts: IdentificationParts): IdentifyTpp {
  const { verification, stopList, tpps, clock } = parts;
  return (call, demand, findBlocked = stopList.findBlocked) =>
    parts.noteRefusals(call, async () => {
      const identity = await verification.identify(call.presentedCertificate, clock.now(), demand);
      // Asked for every request, so that a block also stops connections that are already open.
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
