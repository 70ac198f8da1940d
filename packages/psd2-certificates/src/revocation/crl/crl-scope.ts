import { type DerElement, DerFault, membersOf, readDer, tags } from "../../der/der-element.ts";
import type { Extension } from "../../x509/certificate.ts";
import { UnusableAnswer } from "../revocation-answer.ts";
import { readPointNames } from "../revocation-sources.ts";

/** Which certificates of its issuer a CRL is about. */
export interface CrlScope {
  readonly coversLeaves: boolean;
  readonly coversAuthorities: boolean;
  /** Where it says that it lies, for a list of parts; undefined when it does not. */
  readonly names: readonly string[] | undefined;
}

const issuingDistributionPoint = "2.5.29.28";
const deltaCrlIndicator = "2.5.29.27";
const everything: CrlScope = { coversLeaves: true, coversAuthorities: true, names: undefined };
/** Members of IssuingDistributionPoint (RFC 5280 5.2.5). */
const members = {
  names: tags.constructed(0),
  onlyUsers: tags.primitive(1),
  onlyAuthorities: tags.primitive(2),
};
const order: readonly number[] = [members.names, members.onlyUsers, members.onlyAuthorities];

/**
 * Reads what a CRL is about out of its extensions. Throws an `UnusableAnswer` for one that is a change of another (5.2.4),
 * that is for some reasons only, of several issuers, or about attribute certificates (5.2.5), or that has a critical
 * extension which is not understood (5.2); a `DerFault` for what cannot be read.
 */
export function readCrlScope(extensions: ReadonlyMap<string, Extension>): CrlScope {
  if (extensions.has(deltaCrlIndicator)) throw new UnusableAnswer("a delta CRL");
  for (const [oid, { critical }] of extensions)
    if (critical && oid !== issuingDistributionPoint) throw new UnusableAnswer(`critical extension ${oid}`);
  const point = extensions.get(issuingDistributionPoint);
  return point === undefined ? everything : readPoint(membersOf(readDer(point.value), tags.sequence));
}

function readPoint(found: readonly DerElement[]): CrlScope {
  const places = found.map(({ tag }) => order.indexOf(tag));
  if (places.includes(-1))
    throw new UnusableAnswer("an indirect CRL, or one for some reasons or attribute certificates only");
  if (places.some((place, at) => place <= (places[at - 1] ?? -1)))
    throw new DerFault("an issuingDistributionPoint in a wrong order");
  const names = found.find(({ tag }) => tag === members.names);
  return {
    coversLeaves: !isSet(found, members.onlyAuthorities),
    coversAuthorities: !isSet(found, members.onlyUsers),
    names: names === undefined ? undefined : readPointNames(names),
  };
}

function isSet(found: readonly DerElement[], tag: number): boolean {
  return found.some((member) => member.tag === tag && member.contents.some((octet) => octet !== 0));
}
