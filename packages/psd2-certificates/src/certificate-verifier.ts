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
import { anyHoldsAt } from "./path/certification-path.ts";
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
  /** As `verify`, with the path that holds now; its links are the same objects for as long as they are remembered. */
  verifyPath(presented: PresentedCertificate | undefined, now: Date): VerifiedTpp;
}

const maxRememberedDefault = 10_000;

/** Makes a verifier for one anchor file; a changed file gets a new verifier, so that nothing remembered outlives it. */
export function createCertificateVerifier(options: CertificateVerifierOptions): CertificateVerifier {
  return createPathVerifier(options);
}

/** Makes the same verifier with all that it tells. */
export function createPathVerifier(options: CertificateVerifierOptions): PathVerifier {
  const examinations = rememberExaminations(options);
  const settled = new WeakMap<PresentedCertificate, SettledTpp>();
  const verifyPath: PathVerifier["verifyPath"] = (presented, now) => {
    const certificate = requirePresented(presented); //                            certificate_absent
    const standing = settled.get(certificate);
    if (standing !== undefined && standsAt(standing, now)) {
      examinations.counted.hit();
      return standing.verified;
    }
    const examination = outcomeOf(examinations.recall(certificate, now));
    const verified = judge(examination, certificate, now); //                      see certificate-checks.ts
    const settlement = settle(examination, verified);
    if (settlement !== undefined) settled.set(certificate, settlement);
    return verified;
  };
  return { verifyPath, verify: (presented, now) => verifyPath(presented, now).tpp };
}

/** What was found of a certificate that has a path, and with which intermediates it was looked for. */
interface Trusted {
  readonly key: string;
  readonly outcome: Outcome<Examination>;
}

/** What was found of certificates, and the figures of looking for it. */
interface Examinations {
  recall(presented: PresentedCertificate, now: Date): Outcome<Examination>;
  readonly counted: CacheCount;
}

/**
 * Two caches: by connection, which costs one look-up, and by the bytes, for a certificate that comes back. Strangers
 * can present any number of untrusted certificates, so these have a cache of their own, and evict nobody else's.
 *
 * A path that was found holds for the leaf whatever intermediates are sent along, so they are not read again while it
 * does: getting them out of a TLS connection costs more than everything else here.
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
    if (outcome.accepted) trusted.set(leaf, { key, outcome });
    else strange.set(key, outcome);
    return outcome;
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
    return known?.key === key ? known.outcome : recallStrange(leaf, key, presented);
  };
  const recall = (presented: PresentedCertificate, now: Date) => {
    const known = byConnection.get(presented);
    if (known !== undefined && !hasLapsed(known, now)) return known;
    const outcome = recallLeaf(presented, now);
    byConnection.set(presented, outcome);
    return outcome;
  };
  return { recall, counted };
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
