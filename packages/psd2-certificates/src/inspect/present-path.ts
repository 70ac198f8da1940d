import type { Knowledge } from "../certificate-check.ts";
import type { CertificationPath } from "../path/certification-path.ts";
import type { TrustAnchor } from "../trust-anchors.ts";
import type { Certificate } from "../x509/certificate.ts";
import { presentName } from "../x509/distinguished-name.ts";

type Known = Partial<Knowledge>;

const anchorsLimit = 10;
const dayMilliseconds = 86_400_000;

/** Returns whole days until a time; negative after it. */
export function daysUntil(time: number, now: Date): number {
  return Math.floor((time - now.getTime()) / dayMilliseconds);
}

/** Presents a time for people and programs, in seconds, the precision of certificates. */
export function presentTime(milliseconds: number): string {
  return Number.isFinite(milliseconds)
    ? new Date(milliseconds).toISOString().replace(".000Z", "Z")
    : "no time";
}

/** Presents the paths found, each from the issuer up to the service of its anchor. */
export function presentPaths({ paths }: Known): string | undefined {
  return paths?.map(({ periods }) => namesOf(periods).join(" > ")).join("; or ");
}

/** Names each service once; a path lists one a second time if it was not qualified at issue. */
function namesOf(periods: CertificationPath["periods"]): readonly string[] {
  return periods.map(({ what }) => what).filter((what) => !what.endsWith(" at issue"));
}

/** Presents why there may be no path: the issuer of the certificate, and the trusted authorities. */
export function presentIssuerAndAnchors({ leaf, presented, anchors }: Known): string | undefined {
  if (leaf === undefined || anchors === undefined) return undefined;
  const sent = presented?.intermediates.length ?? 0;
  const names = anchors.slice(0, anchorsLimit).map(({ certificate }) => presentName(certificate.subject));
  const more = anchors.length > anchorsLimit ? ` and ${anchors.length - anchorsLimit} more` : "";
  const homonym = presentHomonym(leaf, anchors);
  return `issuer ${presentName(leaf.issuer)}; authority certificates sent: ${sent}; trusted: ${names.join("; ")}${more}${homonym}`;
}

/** Presents the case that takes people longest to see: the right name with another key. */
function presentHomonym(leaf: Certificate, anchors: readonly TrustAnchor[]): string {
  const isNamed = anchors.some(({ certificate }) => certificate.subject.encoded.equals(leaf.issuer.encoded));
  return isNamed ? "; a trusted authority has the issuer's name, but did not sign this certificate" : "";
}

/** Presents the validity of the certificate against the time of the inspection. */
export function presentDates({ validity, now }: Known): string | undefined {
  if (validity === undefined || now === undefined) return undefined;
  const { notBefore, notAfter } = validity;
  const days = presentDaysLeft(daysUntil(notAfter, now));
  return `${presentTime(notBefore)} to ${presentTime(notAfter)}, checked at ${presentTime(now.getTime())}, ${days}`;
}

/** Presents how long it is until the end. */
export function presentDaysLeft(days: number): string {
  if (days < 0) return "over";
  return days === 1 ? "1 day left" : `${days} days left`;
}

/** Presents when each authority and the service is valid. */
export function presentPeriods({ paths }: Known): string | undefined {
  return paths?.map(({ periods }) => periods.map(presentPeriod).join(" > ")).join("; or ");
}

function presentPeriod({ what, from, until }: CertificationPath["periods"][number]): string {
  if (from === Number.POSITIVE_INFINITY) return `${what}: not qualified`;
  return until === Number.POSITIVE_INFINITY
    ? `${what}: from ${presentTime(from)}`
    : `${what}: ${presentTime(from)} to ${presentTime(until)}`;
}
