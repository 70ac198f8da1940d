import { createHash, X509Certificate } from "node:crypto";
import { readDerElements } from "./der-elements.ts";

/** The parts of a certificate that CRLs and OCSP answers refer to, as encoded in it. */
export type CertificateNames = {
  /** Octets of the serial number, without a leading zero. */
  readonly serialNumber: Buffer;
  /** DER of the issuer's Name. */
  readonly issuer: Buffer;
  /** DER of the subject's Name. */
  readonly subject: Buffer;
  /** Bits of the public key, without the encoding around them (RFC 6960 4.1.1 issuerKeyHash). */
  readonly publicKey: Buffer;
};

/** Reads those parts from a certificate in DER or PEM that was issued here. */
export function readCertificateNames(certificate: string | Buffer): CertificateNames {
  const x509 = new X509Certificate(certificate);
  const [tbs] = readDerElements(readDerElements(x509.raw)[0]?.contents);
  const [, serial, , issuer, , subject] = readDerElements(tbs?.contents);
  if (serial === undefined || issuer === undefined || subject === undefined)
    throw new TypeError("not a certificate of version 3");
  return {
    serialNumber: Buffer.from(x509.serialNumber, "hex"),
    issuer: issuer.encoded,
    subject: subject.encoded,
    publicKey: publicKeyBits(x509),
  };
}

function publicKeyBits(x509: X509Certificate): Buffer {
  const spki = x509.publicKey.export({ type: "spki", format: "der" });
  const [, bits] = readDerElements(readDerElements(spki)[0]?.contents);
  return bits?.contents.subarray(1) ?? Buffer.alloc(0);
}

/** Digests octets with a hash of `node:crypto`. */
export function digestOf(hash: "sha1" | "sha256", octets: Uint8Array): Buffer {
  return createHash(hash).update(octets).digest();
}
