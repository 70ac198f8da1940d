import { CertificateRefusal } from "../certificate-refusal.ts";
import type { PathLink } from "../path/path-link.ts";
import type { RevocationVerdict } from "./remembered-answer.ts";
import { createRevocationMemory } from "./revocation-memory.ts";
import type { RevocationDemand, RevocationEvent, RevocationSettings } from "./revocation-settings.ts";
import { RevocationUnavailable } from "./revocation-unavailable.ts";

/**
 * Refuses with `revocation_source_missing` or `certificate_revoked`, or throws `RevocationUnavailable`; undefined when
 * everything is known and good. Every certificate below the anchor is asked about: an authority that was revoked vouches
 * for nobody. The anchor is not: whether it is believed is what the anchor file says.
 */
export type RequireUnrevoked = (
  links: readonly PathLink[],
  call: { readonly demand: RevocationDemand; readonly now: Date },
) => Promise<void> | undefined;

/** Makes the check of one process. The certificates that it is given must have passed every other check. */
export function createRequireUnrevoked(settings: RevocationSettings): RequireUnrevoked {
  const memory = createRevocationMemory(settings);
  const requireVerdict = (verdict: RevocationVerdict) => {
    settings.onEvent?.(events[verdict.decision]);
    requireUsable(verdict);
  };
  return (links, call) => {
    requireSources(links); //                                     revocation_source_missing
    const verdict = memory.judge(links, call);
    if (verdict instanceof Promise) return verdict.then(requireVerdict);
    requireVerdict(verdict); //                                   certificate_revoked, RevocationUnavailable
    return undefined;
  };
}

/** Made once: one is told on every call. */
const events: Readonly<Record<RevocationVerdict["decision"], RevocationEvent>> = {
  good: Object.freeze({ kind: "decision", decision: "good" }),
  grace: Object.freeze({ kind: "decision", decision: "grace" }),
  revoked: Object.freeze({ kind: "decision", decision: "revoked" }),
  unavailable: Object.freeze({ kind: "decision", decision: "unavailable" }),
};

function requireSources(links: readonly PathLink[]): void {
  const at = links.findIndex(({ sources }) => sources.ocsp.length + sources.crl.length === 0);
  if (at < 0) return;
  const which = at === 0 ? "the certificate" : `authority ${at} above the certificate`;
  throw new CertificateRefusal("revocation_source_missing", `${which} names no OCSP responder and no CRL`);
}

function requireUsable({ decision, detail }: RevocationVerdict): void {
  if (decision === "revoked") throw new CertificateRefusal("certificate_revoked", detail);
  if (decision === "unavailable") throw new RevocationUnavailable(detail);
}
