/**
 * Who calls on the mutual-TLS listener. This folder owns the way from a presented certificate to a TPP, and the memory
 * of what its last certificate said. It does not own what makes a certificate acceptable (psd2-certificates).
 */
import type { CertificateVerifier, PresentedCertificate, TppIdentity } from "@cobs/psd2-certificates";
import type { Clock } from "@cobs/service-edge";
import type { TppStore } from "./tpp-store.ts";

/** Verifies the certificate of a call; throws `CertificateRefusal` when there is none, or it is not accepted. */
export type IdentifyTpp = (presented: PresentedCertificate | undefined) => Promise<TppIdentity>;

/** Makes the one function that turns certificates into TPPs, and keeps what was verified (rows 2 and 3 of a call). */
export function createTppIdentification(parts: {
  readonly verifier: CertificateVerifier;
  readonly tpps: TppStore;
  readonly clock: Clock;
}): IdentifyTpp {
  return async (presented) => {
    const identity = parts.verifier.verify(presented, parts.clock.now());
    await parts.tpps.remember(identity);
    return identity;
  };
}
