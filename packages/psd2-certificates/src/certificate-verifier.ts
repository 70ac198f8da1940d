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

/** What a verifier is made of. */
export interface CertificateVerifierOptions {
  readonly anchors: TrustAnchors;
  /** How many certificates with a path, and as many without, are remembered beyond their connection. */
  readonly maxRemembered?: number;
  /** Told each time a certificate is read and its path built, which a remembered one is not. */
  readonly onExamination?: () => void;
  /** Told of the look-ups in `certificates`, and in `strange_certificates` those without a path. */
  readonly countCache?: CountCache | undefined;
}

/** Turns presented certificates into TPP identities. Cheap to call on every request. */
export interface CertificateVerifier {
  /** Throws a `CertificateRefusal`; the times of the certificate and its path are judged against `now` on each call. */
  verify(presented: PresentedCertificate | undefined, now: Date): TppIdentity;
}

/** The same, for those who ask about revocation afterwards. */
export interface PathVerifier extends CertificateVerifier {
  /** As `verify`, with the paths that hold now; their links are the same objects for as long as they are remembered. */
  verifyPaths(presented: PresentedCertificate | undefined, now: Date): VerifiedTpp;
  /**
   * The paths that hold now, where `verifyPaths` has not given all of them: others brought some since, or this connection has
   * intermediates that were not looked at. Further calls of it are given all. Otherwise none.
   */
  findOthers(presented: PresentedCertificate | undefined, now: Date): readonly CertificationPath[];
}

const maxRememberedDefault = 10_000;
/** Of one certificate: whoever sends ever other intermediates has the oldest forgotten. */
const maxPaths = 32;

/** Makes a verifier for one anchor file; a changed file gets a new verifier, so that nothing remembered outlives it. */
export function createCertificateVerifier(options: CertificateVerifierOptions): CertificateVerifier {
  return createPathVerifier(options);
}

/** Makes the same verifier with all that it tells. */
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

/** What was found of a certificate that has a path, and with which intermediates it was looked for, the last first. */
interface Trusted {
  readonly keys: readonly string[];
  readonly outcome: Outcome<Examination>;
}

/** What was found of certificates, and the figures of looking for it. */
interface Examinations {
  recall(presented: PresentedCertificate, now: Date): Outcome<Examination>;
  /** What is known beyond that by now, or is found with the connection's own intermediates; it is recalled from then on. */
  recallOther(presented: PresentedCertificate): Examination | undefined;
  readonly counted: CacheCount;
}

/**
 * Two caches: by connection, which costs one look-up, and by the bytes, for a certificate that comes back. Strangers
 * can present any number of untrusted certificates, so these have a cache of their own, and evict nobody else's.
 *
 * A path that was found holds for the leaf whatever intermediates are sent along, so they are not read again while it
 * does: getting them out of a TLS connection costs more than everything else here. Where one does not do, for its times or
 * for a revocation, those are looked at that were not yet, and all that was found of a leaf is kept.
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
    // Its own come first: what others have sent may have changed what is known, and brought nothing good.
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

/** What was found now, with the paths that were known before and are not among them. */
function withPathsOf(found: Examination, known: Outcome<Examination> | undefined): Examination {
  if (!known?.accepted) return found;
  const before = known.value.paths.filter((path) => !found.paths.some((one) => isSamePath(one, path)));
  return { ...found, paths: [...found.paths, ...before].slice(0, maxPaths) };
}

/** Then other intermediates may lead to a path that has not. */
function hasLapsed(outcome: Outcome<Examination>, now: Date): boolean {
  return outcome.accepted && !anyHoldsAt(outcome.value.paths, now);
}

/** A leaf without its intermediates may have no path, and with them one: both belong to the key. */
function keyOf(leaf: string, { intermediates }: PresentedCertificate): string {
  const digest = createHash("sha256");
  for (const intermediate of intermediates) digest.update(thumbprintOf(intermediate));
  return `${leaf}.${digest.digest("base64url")}`;
}
