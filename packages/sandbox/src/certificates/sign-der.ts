import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { derBitString, derElement, derOid, derSequence } from "./der.ts";

/** The hash of a signature; SHA-1 is there to be refused. */
export type DerSignatureHash = "sha256" | "sha384" | "sha1";

const ecdsa = {
  sha256: "1.2.840.10045.4.3.2",
  sha384: "1.2.840.10045.4.3.3",
  sha1: "1.2.840.10045.4.1",
} as const;
const rsa = {
  sha256: "1.2.840.113549.1.1.11",
  sha384: "1.2.840.113549.1.1.12",
  sha1: "1.2.840.113549.1.1.5",
} as const;

/** The AlgorithmIdentifier of a signature by this key (RFC 3279 2.2, RFC 5758 3.2). */
export function signatureAlgorithm(key: KeyObject | string, hash: DerSignatureHash): Uint8Array {
  const isRsa = privateKeyOf(key).asymmetricKeyType === "rsa";
  return isRsa ? derSequence(derOid(rsa[hash]), derElement(0x05)) : derSequence(derOid(ecdsa[hash]));
}

/** The BIT STRING of a signature over octets. */
export function signatureBits(
  octets: Uint8Array,
  key: KeyObject | string,
  hash: DerSignatureHash,
): Uint8Array {
  return derBitString(sign(hash, Buffer.from(octets), privateKeyOf(key)));
}

function privateKeyOf(key: KeyObject | string): KeyObject {
  return typeof key === "string" ? createPrivateKey(key) : key;
}
