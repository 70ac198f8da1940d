/**
 * Who calls on the mutual-TLS listener. This folder owns the way from a presented certificate to a TPP, and the memory
 * of what its last certificate said. It does not own what makes a certificate acceptable (psd2-certificates).
 */
import type { RevocationDemand, TppIdentity, TppVerification } from "@cobs/psd2-certificates";
import type { Clock, IncomingCall } from "@cobs/service-edge";
import type { TppStore } from "./tpp-store.ts";

/**
 * Proves who calls, as surely as the call demands. Rejects with `CertificateRefusal` when there is no certificate or it is
 * not accepted, and with `RevocationUnavailable` when nobody says whether it was revoked.
 */
export type IdentifyTpp = (call: IncomingCall, demand: RevocationDemand) => Promise<TppIdentity>;

/** Makes the one function that turns certificates into TPPs, and keeps what was verified (rows 2 and 3 of a call). */
export function createTppIdentification(parts: {
  readonly verification: TppVerification;
  readonly tpps: TppStore;
  readonly clock: Clock;
}): IdentifyTpp {
  return async ({ presentedCertificate }, demand) => {
    const identity = await parts.verification.identify(presentedCertificate, parts.clock.now(), demand);
    await parts.tpps.remember(identity);
    return identity;
  };
}
