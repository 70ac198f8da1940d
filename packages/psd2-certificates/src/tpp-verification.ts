import { createPathVerifier } from "./certificate-verifier.ts";
import type { CountCache } from "./count-cache.ts";
import type { PresentedCertificate } from "./presented-certificate.ts";
import { createRequireUnrevoked } from "./revocation/require-unrevoked.ts";
import type { RevocationDemand, RevocationSettings } from "./revocation/revocation-settings.ts";
import type { TppIdentity } from "./tpp-identity.ts";
import type { TrustAnchors } from "./trust-anchors.ts";

/** What a verification is made of. */
export interface TppVerificationOptions {
  readonly anchors: TrustAnchors;
  /** Undefined: revocation is not checked, and a revoked certificate is accepted until it expires. */
  readonly revocation: RevocationSettings | undefined;
  /** Told each time a certificate is read and its path built, which a remembered one is not. */
  readonly onExamination?: () => void;
  /** Told of the look-ups in everything that is remembered of certificates and their revocation. */
  readonly countCache?: CountCache | undefined;
}

/** Everything that is asked of a certificate, in one call: path, profile, times and revocation. */
export interface TppVerification {
  /**
   * Rejects with a `CertificateRefusal`, or with `RevocationUnavailable` when no source answers and the demand or the
   * grace does not let the call go on.
   */
  identify(
    presented: PresentedCertificate | undefined,
    now: Date,
    demand: RevocationDemand,
  ): Promise<TppIdentity>;
  /** The anchors in force. */
  anchors(): TrustAnchors;
  /**
   * From now on, also for calls that wait for a source. No path that was found under the former anchors is remembered;
   * what is known of revocation stays, because it is of a certificate and the authority that issued it.
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
        const answered = requireUnrevoked?.(holding, { demand, now }, findOthers); //     see require-unrevoked.ts
        if (answered !== undefined) await answered;
        // While a source was waited for, the anchors may have become others, which do not vouch for this path.
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
