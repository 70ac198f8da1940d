import { createHash } from "node:crypto";
import { contentsOf, type DerElement, membersOf, readDer, tags } from "../../der/der-element.ts";
import { readOid, readPositiveInteger } from "../../der/der-values.ts";
import { writeElement } from "../../der/write-der.ts";
import type { PathLink } from "../../path/path-link.ts";
import type { Certificate } from "../../x509/certificate.ts";

/** Identifies one certificate of one authority (RFC 6960 4.1.1), by the only hash that every responder knows. */
export interface CertId {
  readonly issuerNameHash: Buffer;
  readonly issuerKeyHash: Buffer;
  /** Octets without a leading zero. */
  readonly serialNumber: Buffer;
}

const sha1 = "1.3.14.3.2.26";
/** AlgorithmIdentifier of SHA-1. It only identifies an authority that is already known: nothing depends on its strength. */
const sha1Identifier = Buffer.from("300906052b0e03021a0500", "hex");
const serialOctetsLimit = 20;

/**
 * Makes the CertID of a certificate. The hash is over its own issuer field, which may be spelt differently from its issuer's
 * subject.
 */
export function certIdOf({ issuerName, issuer, serialNumber }: PathLink): CertId {
  return { issuerNameHash: digest(issuerName), issuerKeyHash: keyHashOf(issuer), serialNumber };
}

/** Returns SHA-1 of the contents of a public key's BIT STRING, without the count of unused bits (RFC 6960 4.2.1 KeyHash). */
export function keyHashOf({ publicKeyInfo }: Certificate): Buffer {
  const [, bits] = membersOf(readDer(publicKeyInfo), tags.sequence, { min: 2, max: 2 });
  return digest(contentsOf(bits, tags.bitString).subarray(1));
}

/** Writes a CertID as DER. */
export function writeCertId({ issuerNameHash, issuerKeyHash, serialNumber }: CertId): Buffer {
  const sign = (serialNumber[0] ?? 0) >= 0x80 ? [Buffer.from([0])] : [];
  return writeElement(
    tags.sequence,
    sha1Identifier,
    writeElement(tags.octetString, issuerNameHash),
    writeElement(tags.octetString, issuerKeyHash),
    writeElement(tags.integer, ...sign, serialNumber),
  );
}

/** Whether a CertID of an answer is the one asked about; one with another hash is not. */
export function isCertId(element: DerElement | undefined, wanted: CertId): boolean {
  const [algorithm, name, key, serial] = membersOf(element, tags.sequence, { min: 4, max: 4 });
  return (
    readOid(membersOf(algorithm, tags.sequence, { min: 1, max: 2 })[0]) === sha1 &&
    contentsOf(name, tags.octetString).equals(wanted.issuerNameHash) &&
    contentsOf(key, tags.octetString).equals(wanted.issuerKeyHash) &&
    readPositiveInteger(serial, serialOctetsLimit).equals(wanted.serialNumber)
  );
}

function digest(octets: Buffer): Buffer {
  return createHash("sha1").update(octets).digest();
}
