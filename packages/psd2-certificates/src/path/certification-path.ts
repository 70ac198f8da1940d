import { CertificateRefusal } from "../certificate-refusal.ts";
import type { TrustAnchor } from "../trust-anchors.ts";
import type { Certificate } from "../x509/certificate.ts";
import { presentName } from "../x509/distinguished-name.ts";
import { makePathLink, type PathLink } from "./path-link.ts";

/** Something that must hold at the time of a call, from when until when (milliseconds, both inclusive). */
interface Period {
  readonly what: string;
  readonly from: number;
  readonly until: number;
}

/**
 * A path from a leaf to an anchor, every signature on it checked once. Kept is what can change the answer later: its
 * times, and what may be revoked.
 */
export interface CertificationPath {
  readonly periods: readonly Period[];
  /** Every certificate below the anchor with the authority above it, the leaf first. */
  readonly links: readonly PathLink[];
}

/** The path through these authorities, the one that issued the leaf first, to this anchor. */
export function makePath(
  leaf: Certificate,
  authorities: readonly Certificate[],
  anchor: TrustAnchor,
): CertificationPath {
  const periods = [...authorities, anchor.certificate].map(periodOfAuthority);
  const links = [leaf, ...authorities].map((certificate, at) =>
    makePathLink(certificate, authorities[at] ?? anchor.certificate),
  );
  return { periods: [...periods, ...periodsOfService(leaf, anchor)], links };
}

function periodOfAuthority({ subject, notBefore, notAfter }: Certificate): Period {
  return { what: presentName(subject), from: notBefore.getTime(), until: notAfter.getTime() };
}

/**
 * A service must be qualified now, and have been so when it issued the leaf (ETSI TS 119 615): a leaf from before
 * makes the path good for no time at all.
 */
function periodsOfService(leaf: Certificate, anchor: TrustAnchor): readonly Period[] {
  const from = anchor.from.getTime();
  const until = anchor.until === undefined ? Number.POSITIVE_INFINITY : anchor.until.getTime() - 1;
  const now = { what: `service ${anchor.serviceName}`, from, until };
  const never = { what: `service ${anchor.serviceName} at issue`, from: Number.POSITIVE_INFINITY, until };
  return leaf.notBefore.getTime() < from ? [now, never] : [now];
}

/** Whether one of the paths holds at this time. */
export function anyHoldsAt(paths: readonly CertificationPath[], now: Date): boolean {
  return paths.some((path) => lapseOfPath(path, now.getTime()) === undefined);
}

/** The paths that hold at this time, in their order; refuses with `chain_untrusted` when none does. */
export function requirePathsAt(paths: readonly CertificationPath[], now: Date): readonly CertificationPath[] {
  const holding = paths.filter((path) => lapseOfPath(path, now.getTime()) === undefined);
  if (holding.length > 0) return holding;
  const lapses = paths.map((path) => lapseOfPath(path, now.getTime()));
  throw new CertificateRefusal("chain_untrusted", `outside the period of ${lapses.join("; ")}`);
}

/** From when until when a path holds (milliseconds, both inclusive); one that never does ends before it begins. */
export function periodOf({ periods }: CertificationPath): { readonly from: number; readonly until: number } {
  return {
    from: Math.max(...periods.map(({ from }) => from)),
    until: Math.min(...periods.map(({ until }) => until)),
  };
}

/** Whether two paths of one leaf go through the same certificates. */
export function isSamePath(one: CertificationPath, other: CertificationPath): boolean {
  if (one.links.length !== other.links.length) return false;
  return one.links.every(({ issuer }, at) => other.links[at]?.issuer.der.equals(issuer.der));
}

/** Written so that a time which is no number is within no period. */
function lapseOfPath({ periods }: CertificationPath, time: number): string | undefined {
  return periods.find(({ from, until }) => !(time >= from && time <= until))?.what;
}
