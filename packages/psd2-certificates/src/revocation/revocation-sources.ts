import { contentsOf, type DerElement, DerFault, membersOf, readDer, tags } from "../der/der-element.ts";
import { readOid } from "../der/der-values.ts";
import { type Certificate, extensionOids } from "../x509/certificate.ts";

/** A location of a CRL. */
export interface CrlPoint {
  readonly url: URL;
  /** Every URI of its distribution point, as written: a partitioned CRL identifies itself by one of them. */
  readonly names: readonly string[];
}

/** Sources of a certificate's revocation, in the order in which it names them. */
export interface RevocationSources {
  readonly ocsp: readonly URL[];
  readonly crl: readonly CrlPoint[];
}

/** Most sources of each kind, so that a certificate cannot make the bank call many hosts. */
const sourcesLimit = 4;
const urlCharactersLimit = 1024;
const ocspAccess = "1.3.6.1.5.5.7.48.1";
const uniformResourceIdentifier = tags.primitive(6);

/**
 * Reads the OCSP responders (RFC 5280 4.2.2.1) and CRLs (4.2.1.13) that a certificate names and that can be asked: http or
 * https, at most four of each. Distribution points for only some reasons, or of another issuer, are left out. An unreadable
 * extension gives no sources.
 */
export function readRevocationSources({ extensions }: Certificate): RevocationSources {
  const access = extensions.get(extensionOids.authorityInformationAccess);
  const points = extensions.get(extensionOids.crlDistributionPoints);
  return {
    ocsp: access === undefined ? [] : readOrNone(() => readResponders(access.value)),
    crl: points === undefined ? [] : readOrNone(() => readCrlPoints(points.value)),
  };
}

function readOrNone<Source>(read: () => readonly Source[]): readonly Source[] {
  try {
    return read().slice(0, sourcesLimit);
  } catch (error) {
    if (error instanceof DerFault) return [];
    throw error;
  }
}

function readResponders(value: Buffer): readonly URL[] {
  return membersOf(readDer(value), tags.sequence)
    .map((description) => membersOf(description, tags.sequence, { min: 2, max: 2 }))
    .filter(([method]) => readOid(method) === ocspAccess)
    .flatMap(([, location]) => (location === undefined ? [] : readUris([location])))
    .map(parseUrl)
    .filter((url) => url !== undefined);
}

function readCrlPoints(value: Buffer): readonly CrlPoint[] {
  return membersOf(readDer(value), tags.sequence).flatMap((point) => {
    const members = membersOf(point, tags.sequence);
    const isWhole = members.length === 1 && members[0]?.tag === tags.constructed(0);
    const names = isWhole ? readPointNames(members[0]) : [];
    const urls = names.map(parseUrl).filter((url) => url !== undefined);
    return urls.map((url) => ({ url, names }));
  });
}

/** Reads the URIs of a DistributionPointName (RFC 5280 4.2.1.13); none if it is relative to the issuer's name. */
export function readPointNames(wrapper: DerElement | undefined): readonly string[] {
  const [name] = membersOf(wrapper, tags.constructed(0), { min: 1, max: 1 });
  return name?.tag === tags.constructed(0) ? readUris(membersOf(name, tags.constructed(0))) : [];
}

function readUris(names: readonly DerElement[]): readonly string[] {
  return names
    .filter(({ tag }) => tag === uniformResourceIdentifier)
    .map((name) => contentsOf(name, uniformResourceIdentifier).toString("latin1"));
}

function parseUrl(text: string): URL | undefined {
  if (text.length > urlCharactersLimit || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === "http:" || url.protocol === "https:";
  return isWeb && url.username === "" && url.password === "" ? url : undefined;
}
