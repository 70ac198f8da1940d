import { CertificateRefusal } from "../certificate-refusal.ts";
import type { CertificationPath } from "../path/certification-path.ts";
import type { PathLink } from "../path/path-link.ts";
import type { TppIdentity } from "../tpp-identity.ts";
import type { RevocationVerdict } from "./remembered-answer.ts";
import { createRevocationMemory } from "./revocation-memory.ts";
import type { RevocationDemand, RevocationEvent, RevocationSettings } from "./revocation-settings.ts";
import { RevocationUnavailable } from "./revocation-unavailable.ts";

/**
 * Refuses with `revocation_source_missing` or `certificate_revoked`, or throws `RevocationUnavailable`; returns undefined if
 * everything is already known and good. Every certificate below the anchor is checked, because a revoked authority vouches for
 * nobody. The anchor is not: the anchor file decides about its trust.
 *
 * One path is enough (RFC 5280 6.1): a fault of an authority on one path says nothing about the others. A leaf that is itself
 * revoked is refused whatever the others are. `findOthers` is called if none of the paths is already known to be good. All
 * paths are checked at once, so that a call waits no longer for several than for one. If none is good, the reason is taken
 * from the first that may still become good, or else from the first: a path that only has to be waited for is not a refusal.
 */
export type RequireUnrevoked = (
  paths: readonly CertificationPath[],
  call: { readonly demand: RevocationDemand; readonly now: Date; readonly tpp?: TppIdentity },
  findOthers: () => readonly CertificationPath[],
) => Promise<void> | undefined;

/** The decision about a path; a path with a missing source is not asked about. */
type Standing = RevocationVerdict | { readonly decision: "source_missing"; readonly detail: string };
interface Judged {
  readonly leaf: Standing | undefined;
  readonly worst: Standing;
}

/** Makes the check of one process. The certificates passed to it must have passed every other check. */
export function createRequireUnrevoked(settings: RevocationSettings): RequireUnrevoked {
  const memory = createRevocationMemory(settings);
  const finish = ({ worst }: Judged, tpp: TppIdentity | undefined): undefined => {
    if (worst.decision !== "source_missing") settings.onEvent?.(events[worst.decision]);
    requireUsable(worst, tpp);
  };
  return (paths, call, findOthers) => {
    const preferred = paths[0];
    if (preferred === undefined) throw new TypeError("there is no path to ask about");
    const judge = ({ links }: CertificationPath) => judgeSources(links) ?? memory.judge(links, call);
    const first = judge(preferred);
    // Nearly every call ends here, so nothing is allocated before this.
    if (isKnown(first) && decidesAll(first)) return finish(first, call.tpp);
    const judged = [first];
    for (const find of [() => paths.slice(1), findOthers])
      for (const path of find()) {
        const one = judge(path);
        if (isKnown(one) && decidesAll(one)) return finish(one, call.tpp);
        judged.push(one);
      }
    if (judged.every(isKnown)) return finish(firstToTell(judged), call.tpp);
    return firstToDecide(judged).then((decided) => finish(decided, call.tpp));
  };
}

/** Made once, because one is emitted on every call. */
const events: Readonly<Record<RevocationVerdict["decision"], RevocationEvent>> = {
  good: Object.freeze({ kind: "decision", decision: "good" }),
  grace: Object.freeze({ kind: "decision", decision: "grace" }),
  revoked: Object.freeze({ kind: "decision", decision: "revoked" }),
  unavailable: Object.freeze({ kind: "decision", decision: "unavailable" }),
};

function judgeSources(links: readonly PathLink[]): Judged | undefined {
  const at = links.findIndex(({ sources }) => sources.ocsp.length + sources.crl.length === 0);
  if (at < 0) return undefined;
  const which = at === 0 ? "the certificate" : `authority ${at} above the certificate`;
  const missing = {
    decision: "source_missing",
    detail: `${which} names no OCSP responder and no CRL`,
  } as const;
  return { leaf: at === 0 ? missing : undefined, worst: missing };
}

/** Whether this path settles the matter: it is good, or the leaf itself is refused. */
function decidesAll({ leaf, worst }: Judged): boolean {
  if (worst.decision === "good" || worst.decision === "grace") return true;
  return leaf?.decision === "revoked" || leaf?.decision === "source_missing";
}

/** Returns the path to report if none decides: the first that may be good once its sources answer, or else the first. */
function firstToTell(judged: readonly Judged[]): Judged {
  return judged.reduce((told, one) => (!isUnavailable(told) && isUnavailable(one) ? one : told));
}

function isUnavailable({ worst }: Judged): boolean {
  return worst.decision === "unavailable";
}

/** Returns the first path that decides, or the one to report if none does. */
function firstToDecide(judged: readonly (Judged | Promise<Judged>)[]): Promise<Judged> {
  return new Promise((resolve, reject) => {
    const watched = judged.map(async (one) => {
      const known = await one;
      if (decidesAll(known)) resolve(known);
      return known;
    });
    Promise.all(watched).then((all) => resolve(firstToTell(all)), reject);
  });
}

function isKnown(judged: Judged | Promise<Judged>): judged is Judged {
  return !(judged instanceof Promise);
}

function requireUsable({ decision, detail }: Standing, tpp: TppIdentity | undefined): void {
  if (decision === "source_missing") throw new CertificateRefusal("revocation_source_missing", detail);
  if (decision === "revoked") throw new CertificateRefusal("certificate_revoked", detail);
  if (decision === "unavailable") throw new RevocationUnavailable(detail, tpp);
}
