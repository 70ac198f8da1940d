import { createPathVerifier } from "./certificate-verifier.ts";
import type { CountCache } from "./count-cache.ts";
import type { PresentedCertificate } from "./presented-certificate.ts";
import { createRequireUnrevoked } from "./revocation/require-unrevoked.ts";
import type { RevocationDemand, RevocationSettings } from "./revocation/revocation-settings.ts";
import type { TppIdentity } from "./tpp-identity.ts";
import type { TrustAnchors } from "./trust-anchors.ts";

/** Options of a verification. */
export interface TppVerificationOptions {
  readonly anchors: TrustAnchors;
  /** Undefined: revocation is not checked, and a revoked certificate is accepted until it expires. */
  readonly revocation: RevocationSettings | undefined;
  /** Called each time a certificate is read and its path built, but not for a remembered one. */
  readonly onExamination?: () => void;
  /** Counts look-ups in everything remembered about certificates and their revocation. */
  readonly countCache?: CountCache | undefined;
}

/** All checks of a certificate in one call: path, profile, times and revocation. */
export interface TppVerification {
  /**
   * Rejects with a `CertificateRefusal`, or with `RevocationUnavailable` if no source answers and neither the demand nor the
   * grace period lets the call continue.
   */
  identify(
    presented: PresentedCertificate | undefined,
    now: Date,
    demand: RevocationDemand,
  ): Promise<TppIdentity>;
  /** The anchors in force. */
  anchors(): TrustAnchors;
  /**
   * Replaces the anchors at once, also for calls that wait for a source. Paths found under the former anchors are forgotten;
   * what is known about revocation stays, because it concerns a certificate and its issuing authority.
   */
  replaceAnchors(anchors: TrustAnchors): void;
}

/** Makes the verification of one process. */
export function createTppVerification(options: TppVerificationOptions): TppVerification {
  let anchors = options.anchors;
  let verifier = createPathVerifier(options);
  const { revocation, countCache } = options;
  const requireUnrevoked = revocation && createRequireUnrevoked({ countCache, ...revocation });
  return {
    identify: async (presented, now, demand) => {
      for (;;) {
        const current = verifier;
        const { tpp, holding } = current.verifyPaths(presented, now); //                  see certificate-checks.ts
        const findOthers = () => current.findOthers(presented, now);
        const answered = requireUnrevoked?.(holding, { demand, now, tpp }, findOthers); // see require-unrevoked.ts
        if (answered !== undefined) await answered;
        // While a source was awaited, the anchors may have changed, and may no longer vouch for this path.
        if (current === verifier) return tpp;
      }
    },
    anchors: () => anchors,
    replaceAnchors: (replacement) => {
      anchors = replacement;
      verifier = createPathVerifier({ ...options, anchors });
    },
  };
}
