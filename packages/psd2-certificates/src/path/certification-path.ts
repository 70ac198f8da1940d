import { CertificateRefusal } from "../certificate-refusal.ts";
import type { TrustAnchor } from "../trust-anchors.ts";
import type { Certificate } from "../x509/certificate.ts";
import { presentName } from "../x509/distinguished-name.ts";
import { makePathLink, type PathLink } from "./path-link.ts";

/** A condition on the time of a call, from when until when (milliseconds, both inclusive). */
interface Period {
  readonly what: string;
  readonly from: number;
  readonly until: number;
}

/**
 * A path from a leaf to an anchor, whose signatures were all checked once. It keeps only what can change the answer later: its
 * times, and what may be revoked.
 */
export interface CertificationPath {
  readonly periods: readonly Period[];
  /** Every certificate below the anchor with its issuing authority, the leaf first. */
  readonly links: readonly PathLink[];
}

/** Makes the path to this anchor through these authorities; the first of them issued the leaf. */
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
 * Periods in which the service counts: it must be qualified now, and have been so when it issued the leaf (ETSI TS 119 615).
 * For an earlier leaf the path is never valid.
 */
function periodsOfService(leaf: Certificate, anchor: TrustAnchor): readonly Period[] {
  const from = anchor.from.getTime();
  const until = anchor.until === undefined ? Number.POSITIVE_INFINITY : anchor.until.getTime() - 1;
  const now = { what: `service ${anchor.serviceName}`, from, until };
  const never = { what: `service ${anchor.serviceName} at issue`, from: Number.POSITIVE_INFINITY, until };
  return leaf.notBefore.getTime() < from ? [now, never] : [now];
}

/** Whether one of the paths is valid at this time. */
export function anyHoldsAt(paths: readonly CertificationPath[], now: Date): boolean {
  return paths.some((path) => lapseOfPath(path, now.getTime()) === undefined);
}

/** Returns the paths valid at this time, in order; refuses with `chain_untrusted` if there are none. */
export function requirePathsAt(paths: readonly CertificationPath[], now: Date): readonly CertificationPath[] {
  const holding = paths.filter((path) => lapseOfPath(path, now.getTime()) === undefined);
  if (holding.length > 0) return holding;
  const lapses = paths.map((path) => lapseOfPath(path, now.getTime()));
  throw new CertificateRefusal("chain_untrusted", `outside the validity period of ${lapses.join("; ")}`);
}

/**
 * Returns from when until when a path is valid (milliseconds, both inclusive); a path that is never valid ends before it
 * begins.
 */
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

/** Written so that NaN lies in no period. */
function lapseOfPath({ periods }: CertificationPath, time: number): string | undefined {
  return periods.find(({ from, until }) => !(time >= from && time <= until))?.what;
}
