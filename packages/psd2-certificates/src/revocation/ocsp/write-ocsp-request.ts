import { tags } from "../../der/der-element.ts";
import { writeElement } from "../../der/write-der.ts";
import { type CertId, writeCertId } from "./cert-id.ts";

/** Length of the nonce in a question (RFC 9654 2.1). */
export const nonceOctets = 32;

/** OBJECT IDENTIFIER of the nonce extension, DER (RFC 9654 2.1). */
const nonceOid = Buffer.from("06092b0601050507300102", "hex");

/** Writes an unsigned OCSP request about one certificate (RFC 6960 4.1.1). */
export function writeOcspRequest(certId: CertId, nonce: Buffer): Buffer {
  const sequence = (...members: readonly Buffer[]) => writeElement(tags.sequence, ...members);
  const requestList = sequence(sequence(writeCertId(certId)));
  const extension = sequence(nonceOid, writeElement(tags.octetString, nonceValue(nonce)));
  return sequence(sequence(requestList, writeElement(tags.constructed(2), sequence(extension))));
}

/** Returns the contents of the extension's OCTET STRING: the nonce in an OCTET STRING of its own. */
export function nonceValue(nonce: Buffer): Buffer {
  return writeElement(tags.octetString, nonce);
}
