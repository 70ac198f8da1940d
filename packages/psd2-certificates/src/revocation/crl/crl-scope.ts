import { type DerElement, DerFault, membersOf, readDer, tags } from "../../der/der-element.ts";
import type { Extension } from "../../x509/certificate.ts";
import { UnusableAnswer } from "../revocation-answer.ts";
import { readPointNames } from "../revocation-sources.ts";

/** The certificates of its issuer that a CRL covers. */
export interface CrlScope {
  readonly coversLeaves: boolean;
  readonly coversAuthorities: boolean;
  /** Names of its own location, for a partitioned list; undefined if it gives none. */
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
 * Reads the scope of a CRL from its extensions. Throws an `UnusableAnswer` for a delta CRL (5.2.4), for one with only some
 * reasons, from several issuers, or about attribute certificates (5.2.5), and for an unknown critical extension (5.2); a
 * `DerFault` if it cannot be read.
 */
export function readCrlScope(extensions: ReadonlyMap<string, Extension>): CrlScope {
  if (extensions.has(deltaCrlIndicator)) throw new UnusableAnswer("the CRL is a delta CRL");
  for (const [oid, { critical }] of extensions)
    if (critical && oid !== issuingDistributionPoint)
      throw new UnusableAnswer(`the CRL has the unsupported critical extension ${oid}`);
  const point = extensions.get(issuingDistributionPoint);
  return point === undefined ? everything : readPoint(membersOf(readDer(point.value), tags.sequence));
}

function readPoint(found: readonly DerElement[]): CrlScope {
  const places = found.map(({ tag }) => order.indexOf(tag));
  if (places.includes(-1))
    throw new UnusableAnswer("the CRL is indirect, or only for some reasons or attribute certificates");
  if (places.some((place, at) => place <= (places[at - 1] ?? -1)))
    throw new DerFault("the fields of issuingDistributionPoint are repeated or in the wrong order");
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
