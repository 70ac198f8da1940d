import { X509Certificate } from "node:crypto";
import { contentsOf, type DerElement, DerFault, membersOf, readDer, tags } from "../der/der-element.ts";
import { readOid, readPositiveInteger, readSmallInteger, readTime } from "../der/der-values.ts";
import { readingAs } from "../der/reading-as.ts";
import { attempt } from "../outcome.ts";
import type { Certificate } from "./certificate.ts";
import { readDistinguishedName } from "./distinguished-name.ts";
import { readAuthority, readExtensions, readKeyUsage, readPurposes } from "./read-extensions.ts";

/** The longest genuine certificate seen is a third of this. */
const octetsLimit = 16_384;
const serialOctetsLimit = 20;
const version3 = 2;

/** Reads one certificate from DER (RFC 5280 4.1); verifies nothing. Refuses with `certificate_malformed`. */
export function readCertificate(der: Buffer): Certificate {
  return readingAs("certificate_malformed", () => {
    if (der.length > octetsLimit) throw new DerFault(`the certificate is longer than ${octetsLimit} octets`);
    const [signed, outerAlgorithm, signature] = membersOf(readDer(der), tags.sequence, { min: 3, max: 3 });
    contentsOf(signature, tags.bitString);
    const fields = readSigned(signed);
    if (outerAlgorithm?.encoded.equals(fields.signatureAlgorithm) !== true)
      throw new DerFault("the two signature algorithms differ");
    return { der, x509: openWithOpenssl(der), ...fields };
  });
}

/** Returns the certificate, or undefined if `readCertificate` would refuse it. */
export function findCertificate(der: Buffer): Certificate | undefined {
  const outcome = attempt(() => readCertificate(der));
  return outcome.accepted ? outcome.value : undefined;
}

function readSigned(signed: DerElement | undefined): Omit<Certificate, "der" | "x509"> {
  const members = membersOf(signed, tags.sequence, { min: 8, max: 10 });
  const [version, serial, algorithm, issuer, validity, subject, key] = members;
  requireVersion3(version);
  requireAlgorithm(membersOf(key, tags.sequence, { min: 2, max: 2 })[0]);
  const [notBefore, notAfter] = membersOf(validity, tags.sequence, { min: 2, max: 2 });
  const names = { issuer: readDistinguishedName(issuer), subject: readDistinguishedName(subject) };
  return {
    ...names,
    serialNumber: readSerialNumber(serial, names).toString("hex").toUpperCase(),
    signatureAlgorithm: requireAlgorithm(algorithm),
    notBefore: readTime(notBefore),
    notAfter: readTime(notAfter),
    publicKeyInfo: key?.encoded ?? Buffer.alloc(0),
    ...readExtended(members.slice(7)),
  };
}

/** RFC 5280 4.1.2.2. Roots of qualified providers may have the number zero, about which no source is ever asked. */
function readSerialNumber(
  element: DerElement | undefined,
  { issuer, subject }: Pick<Certificate, "issuer" | "subject">,
): Buffer {
  const octets = contentsOf(element, tags.integer);
  const isZero = octets.length === 1 && octets[0] === 0;
  return isZero && issuer.encoded.equals(subject.encoded)
    ? octets
    : readPositiveInteger(element, serialOctetsLimit);
}

/** After the key come two obsolete optional identifiers, and then the extensions. */
function readExtended(
  members: readonly DerElement[],
): Pick<Certificate, "extensions" | "authority" | "keyUsage" | "purposes"> {
  const order = members.map(({ tag }) => tag).join();
  const [issuerId, subjectId, wrapper] = [tags.primitive(1), tags.primitive(2), tags.constructed(3)];
  const orders = [[wrapper], [issuerId, wrapper], [subjectId, wrapper], [issuerId, subjectId, wrapper]];
  if (!orders.some((permitted) => permitted.join() === order))
    throw new DerFault("the fields are in the wrong order");
  const extensions = readExtensions(members.at(-1));
  return {
    extensions,
    authority: readAuthority(extensions),
    keyUsage: readKeyUsage(extensions),
    purposes: readPurposes(extensions),
  };
}

/** Only version 3 has extensions, and without them there is nothing to find (RFC 5280 4.1.2.1). */
function requireVersion3(element: DerElement | undefined): void {
  const [version] = membersOf(element, tags.constructed(0), { min: 1, max: 1 });
  if (readSmallInteger(version) !== version3) throw new DerFault("the certificate is not of version 3");
}

function requireAlgorithm(element: DerElement | undefined): Buffer {
  readOid(membersOf(element, tags.sequence, { min: 1, max: 2 })[0]);
  return element?.encoded ?? Buffer.alloc(0);
}

/**
 * Opens the certificate with OpenSSL. Node.js looks for PEM first, and finds it inside DER too: it would then read the key and
 * signature of another certificate.
 */
function openWithOpenssl(der: Buffer): X509Certificate {
  const x509 = decodeWithOpenssl(der);
  if (!x509.raw.equals(der)) throw new DerFault("OpenSSL reads another certificate from these octets");
  return x509;
}

function decodeWithOpenssl(der: Buffer): X509Certificate {
  try {
    return new X509Certificate(der);
  } catch {
    throw new DerFault("OpenSSL cannot read the certificate");
  }
}
