import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import {
  type Examination,
  examine,
  judge,
  requirePresented,
  type VerifiedTpp,
} from "./certificate-checks.ts";
import { thumbprintOf } from "./certificate-thumbprint.ts";
import { type CacheCount, type CountCache, countNothing } from "./count-cache.ts";
import { attempt, type Outcome, outcomeOf } from "./outcome.ts";
import { anyHoldsAt, type CertificationPath, isSamePath } from "./path/certification-path.ts";
import type { PresentedCertificate } from "./presented-certificate.ts";
import { type SettledTpp, settle, standsAt } from "./settled-tpp.ts";
import type { TppIdentity } from "./tpp-identity.ts";
import type { TrustAnchors } from "./trust-anchors.ts";

/** Options of a verifier. */
export interface CertificateVerifierOptions {
  readonly anchors: TrustAnchors;
  /** Most certificates with a path, and most without, that are remembered beyond their connection. */
  readonly maxRemembered?: number;
  /** Called each time a certificate is read and its path built, but not for a remembered one. */
  readonly onExamination?: () => void;
  /** Counts look-ups in `certificates`, and of those without a path in `strange_certificates`. */
  readonly countCache?: CountCache | undefined;
}

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

const maxRememberedDefault = 10_000;
/** Most paths of one certificate: if its holder keeps sending other intermediates, the oldest are forgotten. */
const maxPaths = 32;

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

/** Findings about a certificate that has a path, and the intermediates with which it was examined, the last first. */
interface Trusted {
  readonly keys: readonly string[];
  readonly outcome: Outcome<Examination>;
}

/** Remembered findings about certificates, and their statistics. */
interface Examinations {
  recall(presented: PresentedCertificate, now: Date): Outcome<Examination>;
  /**
   * Returns what has become known since, or is found with the connection's own intermediates; it is remembered from then on.
   */
  recallOther(presented: PresentedCertificate): Examination | undefined;
  readonly counted: CacheCount;
}

/**
 * Remembers findings in two caches: by connection, which costs one look-up, and by the bytes, for a certificate that comes
 * back. Strangers can present any number of untrusted certificates, which therefore have a separate cache and evict nobody
 * else's.
 *
 * A path that was found holds for the leaf whatever intermediates are sent along, so they are not read again while it is
 * valid: getting them from a TLS connection costs more than everything else here. If a path fails because of its times or a
 * revocation, intermediates not yet examined are tried, and everything found about a leaf is kept.
 */
function rememberExaminations(options: CertificateVerifierOptions): Examinations {
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
