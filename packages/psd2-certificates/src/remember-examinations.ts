import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type Examination, examine } from "./certificate-checks.ts";
import { thumbprintOf } from "./certificate-thumbprint.ts";
import { type CacheCount, type CountCache, countNothing } from "./count-cache.ts";
import { attempt, type Outcome } from "./outcome.ts";
import { anyHoldsAt, isSamePath } from "./path/certification-path.ts";
import type { PresentedCertificate } from "./presented-certificate.ts";
import type { TrustAnchors } from "./trust-anchors.ts";

/** Findings about certificates: each is made once, and remembered. */
export interface Examinations {
  /** Returns what is remembered of a certificate, or examines it. Its paths may have expired; its contents are not judged. */
  recall(presented: PresentedCertificate, now: Date): Outcome<Examination>;
  /**
   * Returns what has become known since, or is found with the connection's own intermediates; it is remembered from then on.
   */
  recallOther(presented: PresentedCertificate): Examination | undefined;
  /** Counts look-ups in `certificates`; a verdict that needs no look-up counts as one that was found. */
  readonly counted: CacheCount;
}

/** What is examined against, how much is remembered, and who is told. */
export interface ExaminationOptions {
  readonly anchors: TrustAnchors;
  /** Most certificates with a path, and most without, that are remembered beyond their connection. */
  readonly maxRemembered?: number;
  /** Called each time a certificate is read and its path built, but not for a remembered one. */
  readonly onExamination?: () => void;
  /** Counts look-ups in `certificates`, and of those without a path in `strange_certificates`. */
  readonly countCache?: CountCache | undefined;
}

/** Findings about a certificate that has a path, and the intermediates with which it was examined, the last first. */
interface Trusted {
  readonly keys: readonly string[];
  readonly outcome: Outcome<Examination>;
}

const maxRememberedDefault = 10_000;
/** Most paths of one certificate: if its holder keeps sending other intermediates, the oldest are forgotten. */
const maxPaths = 32;

/**
 * Remembers findings in two caches: by connection, which costs one look-up, and by the bytes, for a certificate that comes
 * back. Strangers can present any number of untrusted certificates, which therefore have a separate cache and evict nobody
 * else's.
 *
 * A path that was found holds for the leaf whatever intermediates are sent along, so they are not read again while it is
 * valid: getting them from a TLS connection costs more than everything else here. If a path fails because of its times or a
 * revocation, intermediates not yet examined are tried, and everything found about a leaf is kept.
 */
export function rememberExaminations(options: ExaminationOptions): Examinations {
  const max = options.maxRemembered ?? maxRememberedDefault;
  const byConnection = new WeakMap<PresentedCertificate, Outcome<Examination>>();
  const trusted = new LRUCache<string, Trusted>({ max });
  const strange = new LRUCache<string, Outcome<Examination>>({ max });
  const countCache = options.countCache ?? countNothing;
  const counted = countCache("certificates", () => trusted.size);
  const countedStrange = countCache("strange_certificates", () => strange.size);
  const examineAnew = (leaf: string, key: string, presented: PresentedCertificate) => {
    options.onExamination?.();
    const outcome = attempt(() => examine(presented, options.anchors));
    if (!outcome.accepted) {
      strange.set(key, outcome);
      return outcome;
    }
    const known = trusted.get(leaf);
    const all = { ...outcome, value: withPathsOf(outcome.value, known?.outcome) };
    trusted.set(leaf, { keys: [key, ...(known?.keys ?? [])].slice(0, maxPaths), outcome: all });
    return all;
  };
  const recallStrange = (leaf: string, key: string, presented: PresentedCertificate) => {
    const known = strange.get(key);
    if (known === undefined) countedStrange.missed();
    else countedStrange.hit();
    return known ?? examineAnew(leaf, key, presented);
  };
  const recallLeaf = (presented: PresentedCertificate, now: Date) => {
    const leaf = thumbprintOf(presented.der);
    const known = trusted.get(leaf);
    if (known !== undefined && !hasLapsed(known.outcome, now)) {
      counted.hit();
      return known.outcome;
    }
    counted.missed();
    const key = keyOf(leaf, presented);
    return known?.keys.includes(key) ? known.outcome : recallStrange(leaf, key, presented);
  };
  const recall = (presented: PresentedCertificate, now: Date) => {
    const known = byConnection.get(presented);
    if (known !== undefined && !hasLapsed(known, now)) return known;
    const outcome = recallLeaf(presented, now);
    byConnection.set(presented, outcome);
    return outcome;
  };
  const findOther = (presented: PresentedCertificate) => {
    const leaf = thumbprintOf(presented.der);
    const known = trusted.get(leaf);
    const key = keyOf(leaf, presented);
    // Its own findings come first: intermediates from others may have changed them, and brought nothing good.
    const found = known?.keys.includes(key) ? undefined : recallStrange(leaf, key, presented);
    if (found?.accepted) return found;
    return known?.outcome === byConnection.get(presented) ? undefined : known?.outcome;
  };
  const recallOther = (presented: PresentedCertificate) => {
    const outcome = findOther(presented);
    if (!outcome?.accepted) return undefined;
    byConnection.set(presented, outcome);
    return outcome.value;
  };
  return { recall, recallOther, counted };
}

/** Adds to new findings the known paths that are not among them. */
function withPathsOf(found: Examination, known: Outcome<Examination> | undefined): Examination {
  if (!known?.accepted) return found;
  const before = known.value.paths.filter((path) => !found.paths.some((one) => isSamePath(one, path)));
  return { ...found, paths: [...found.paths, ...before].slice(0, maxPaths) };
}

/** Whether all paths have expired; other intermediates may then lead to a valid one. */
function hasLapsed(outcome: Outcome<Examination>, now: Date): boolean {
  return outcome.accepted && !anyHoldsAt(outcome.value.paths, now);
}

/** Makes the key of a leaf with its intermediates, without which it may have no path. */
function keyOf(leaf: string, { intermediates }: PresentedCertificate): string {
  const digest = createHash("sha256");
  for (const intermediate of intermediates) digest.update(thumbprintOf(intermediate));
  return `${leaf}.${digest.digest("base64url")}`;
}
