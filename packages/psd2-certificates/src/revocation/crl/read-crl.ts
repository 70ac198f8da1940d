import { contentsOf, type DerElement, DerFault, membersOf, readDer, tags } from "../../der/der-element.ts";
import { readSmallInteger, readTime } from "../../der/der-values.ts";
import type { PathLink } from "../../path/path-link.ts";
import { type Certificate, type Extension, keyUsageBits } from "../../x509/certificate.ts";
import { readExtensionList } from "../../x509/read-extensions.ts";
import { requireInTime } from "../answer-times.ts";
import { UnusableAnswer } from "../revocation-answer.ts";
import { isSignedBy, readSignedOctets, type SignedOctets } from "../signed-octets.ts";
import { type CrlScope, readCrlScope } from "./crl-scope.ts";
import { readEntries } from "./read-entries.ts";
import type { RevokedSerials } from "./revoked-serials.ts";

/** A CRL that its issuer signed and that is valid now. */
export interface RevocationList {
  /** In milliseconds since 1970, like `until`, its nextUpdate. */
  readonly from: number;
  readonly until: number;
  readonly scope: CrlScope;
  readonly serials: RevokedSerials;
}

const version2 = 1;

/** A CertificateList as encoded (RFC 5280 5.1), with its entries unread. */
interface OpenedList {
  readonly signed: SignedOctets;
  readonly issuer: Buffer;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
  /** Contents of revokedCertificates. */
  readonly entries: Buffer;
  readonly extensions: ReadonlyMap<string, Extension>;
}

/**
 * Reads a CRL and checks everything required before it is trusted (RFC 5280 6.3.3): that it is the authority's own, covers its
 * certificates as a whole, is valid now, and is signed. Its entries are read last, so that only trusted ones are. Rejects with
 * a `DerFault` or an `UnusableAnswer`.
 */
export async function readRevocationList(
  der: Buffer,
  { issuer, issuerName }: Pick<PathLink, "issuer" | "issuerName">,
  now: Date,
): Promise<RevocationList> {
  const opened = openList(der);
  requireIssuer(opened, issuer, issuerName);
  const until = requireInTime(opened, now);
  const scope = readCrlScope(opened.extensions);
  if (!(await isSignedBy(opened.signed, issuer.x509.publicKey)))
    throw new UnusableAnswer("the CRL is not signed by the issuer");
  const serials = await readEntries(opened.entries);
  return { from: opened.thisUpdate.getTime(), until, scope, serials };
}

function openList(der: Buffer): OpenedList {
  const outer = membersOf(readDer(der), tags.sequence, { min: 3, max: 3 });
  const [version, algorithm, issuer, ...rest] = membersOf(outer[0], tags.sequence, { min: 5, max: 7 });
  if (readSmallInteger(version) !== version2) throw new DerFault("the CRL is not of version 2");
  if (algorithm?.encoded.equals(outer[1]?.encoded ?? Buffer.alloc(0)) !== true || issuer === undefined)
    throw new DerFault("the two signature algorithms of the CRL differ");
  return {
    signed: readSignedOctets(outer),
    issuer: issuer.encoded,
    ...readContents(rest),
  };
}

/** RFC 5280 5.1.2.5 requires nextUpdate, and 5.1.2.6 that an empty list of entries is left out. */
function readContents(
  members: readonly DerElement[],
): Pick<OpenedList, "thisUpdate" | "nextUpdate" | "entries" | "extensions"> {
  const [thisUpdate, nextUpdate, ...rest] = members;
  const entries = rest[0]?.tag === tags.sequence ? rest.shift() : undefined;
  const [wrapper, ...more] = rest;
  if (more.length > 0) throw new DerFault("the CRL has unexpected fields");
  return {
    thisUpdate: readTime(thisUpdate),
    nextUpdate: readTime(nextUpdate),
    entries: entries === undefined ? Buffer.alloc(0) : contentsOf(entries, tags.sequence),
    extensions: readExtensionList(membersOf(wrapper, tags.constructed(0), { min: 1, max: 1 })[0]),
  };
}

/**
 * RFC 5280 6.3.3 (b)(1) compares with the issuer field of the certificate. The authority's own name may be spelt differently
 * in the certificate that another authority gave it; by then it counts as the same name (7.1).
 */
function requireIssuer({ issuer }: OpenedList, { subject, keyUsage }: Certificate, issuerName: Buffer): void {
  if (!issuer.equals(subject.encoded) && !issuer.equals(issuerName))
    throw new UnusableAnswer("the CRL is from another issuer");
  if (keyUsage?.has(keyUsageBits.cRLSign) === false)
    throw new UnusableAnswer("the keyUsage of the issuer has no cRLSign");
}
