import { type CertificateThumbprint, thumbprintOf } from "./certificate-thumbprint.ts";
import { contentsOf, membersOf, readDer, tags } from "./der/der-element.ts";
import { readPositiveInteger } from "./der/der-values.ts";
import { writeElement } from "./der/write-der.ts";
import type { Certificate } from "./x509/certificate.ts";
import { readPublicKey } from "./x509/public-key.ts";

/** Order of each accepted curve (FIPS 186-5), hexadecimal. */
const orders: ReadonlyMap<string, bigint> = new Map([
  ["prime256v1", 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n],
  [
    "secp384r1",
    0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  ],
  [
    "secp521r1",
    0x1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
  ],
]);
const octetsLimit = 66;

/**
 * Returns the thumbprint of the other form of a certificate signed with an elliptic key; undefined for every other. Anyone
 * with an ECDSA signature (r, s) can replace it by (r, n − s) without the key: the same certificate, equally valid, with
 * another thumbprint. The leaf must have been verified with the key of this issuer.
 */
export function twinThumbprintOf(leaf: Certificate, issuer: Certificate): CertificateThumbprint | undefined {
  const key = readPublicKey(issuer.publicKeyInfo);
  const order = key.kind === "ec" ? orders.get(key.curve ?? "") : undefined;
  if (order === undefined) return undefined;
  const [signed, algorithm, bits] = membersOf(readDer(leaf.der), tags.sequence, { min: 3, max: 3 });
  const signature = readDer(contentsOf(bits, tags.bitString).subarray(1));
  const [r, s] = membersOf(signature, tags.sequence, { min: 2, max: 2 });
  const other = order - BigInt(`0x${readPositiveInteger(s, octetsLimit).toString("hex")}`);
  const twin = writeElement(tags.sequence, r?.encoded ?? Buffer.alloc(0), writeInteger(other));
  const parts = [signed, algorithm].map((part) => part?.encoded ?? Buffer.alloc(0));
  const form = writeElement(tags.sequence, ...parts, writeElement(tags.bitString, Buffer.alloc(1), twin));
  return thumbprintOf(form);
}

function writeInteger(value: bigint): Buffer {
  const digits = value.toString(16);
  const octets = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex");
  const sign = octets.readUInt8(0) >= 0x80 ? [Buffer.alloc(1)] : [];
  return writeElement(tags.integer, ...sign, octets);
}
