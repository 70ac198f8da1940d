import { judge, requirePresented, type VerifiedTpp } from "./certificate-checks.ts";
import { attempt, outcomeOf } from "./outcome.ts";
import type { CertificationPath } from "./path/certification-path.ts";
import type { PresentedCertificate } from "./presented-certificate.ts";
import { type ExaminationOptions, rememberExaminations } from "./remember-examinations.ts";
import { type SettledTpp, settle, standsAt } from "./settled-tpp.ts";
import type { TppIdentity } from "./tpp-identity.ts";

/** Options of a verifier. */
export type CertificateVerifierOptions = ExaminationOptions;

/** Turns presented certificates into TPP identities. Cheap to call on every request. */
export interface CertificateVerifier {
  /** Throws a `CertificateRefusal`; checks the times of the certificate and its path against `now` on each call. */
  verify(presented: PresentedCertificate | undefined, now: Date): TppIdentity;
}

/** A verifier that also returns paths, for checking revocation afterwards. */
export interface PathVerifier extends CertificateVerifier {
  /** As `verify`, with the paths valid now; their links are the same objects as long as they are remembered. */
  verifyPaths(presented: PresentedCertificate | undefined, now: Date): VerifiedTpp;
  /**
   * Finds all paths valid now if `verifyPaths` did not return them all, because others have brought some since or this
   * connection has intermediates that were not examined; later calls of `verifyPaths` then return them too. Otherwise returns
   * none.
   */
  findOthers(presented: PresentedCertificate | undefined, now: Date): readonly CertificationPath[];
}

/** Makes a verifier for one anchor file; a changed file gets a new verifier, so that nothing remembered outlives it. */
export function createCertificateVerifier(options: CertificateVerifierOptions): CertificateVerifier {
  return createPathVerifier(options);
}

/** Makes the same verifier, with its methods for paths. */
export function createPathVerifier(options: CertificateVerifierOptions): PathVerifier {
  const examinations = rememberExaminations(options);
  const settled = new WeakMap<PresentedCertificate, SettledTpp>();
  const verifyPaths: PathVerifier["verifyPaths"] = (presented, now) => {
    const certificate = requirePresented(presented); //                            certificate_absent
    const standing = settled.get(certificate);
    if (standing !== undefined && standsAt(standing, now)) {
      examinations.counted.hit();
      return standing.verified;
    }
    const examination = outcomeOf(examinations.recall(certificate, now));
    const verified = judge(examination, certificate, now); //                      see certificate-checks.ts
    settled.set(certificate, settle(examination, verified, now));
    return verified;
  };
  const findOthers: PathVerifier["findOthers"] = (presented, now) => {
    const certificate = requirePresented(presented);
    const other = examinations.recallOther(certificate);
    if (other === undefined) return [];
    settled.delete(certificate);
    const verified = attempt(() => judge(other, certificate, now));
    return verified.accepted ? verified.value.holding : [];
  };
  return { verifyPaths, findOthers, verify: (presented, now) => verifyPaths(presented, now).tpp };
}
