import type { PresentedCertificate } from "./presented-certificate.ts";
import type { TppIdentity } from "./tpp-identity.ts";
import type { TrustAnchors } from "./trust-anchors.ts";

/** What a verifier is made of. */
export interface CertificateVerifierOptions {
  readonly anchors: TrustAnchors;
  /** How many accepted, and as many refused, certificates are remembered. */
  readonly maxRemembered?: number;
  /** Told each time a certificate is read and its path built, which a remembered one is not. */
  readonly onExamination?: () => void;
}

/** Turns presented certificates into TPP identities. Cheap to call on every request. */
export interface CertificateVerifier {
  /** Throws a `CertificateRefusal`; the times of the certificate and its path are judged against `now` on each call. */
  verify(presented: PresentedCertificate | undefined, now: Date): TppIdentity;
}

/** Makes a verifier for one anchor file; a changed file gets a new verifier, so that nothing remembered outlives it. */
export function createCertificateVerifier(options: CertificateVerifierOptions): CertificateVerifier {
  throw new Error(`not built yet: ${options.anchors.environment}`);
}
