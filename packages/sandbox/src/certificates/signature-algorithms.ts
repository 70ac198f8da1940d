import { constants, type KeyObject, sign } from "node:crypto";
import { derBitString, derElement, derOid, derSequence, derSmallInteger } from "./der.ts";

/** How to sign octets, and how the algorithm is encoded; `salt` makes it RSASSA-PSS. */
export type SignatureAlgorithm = {
  /** Name in `node:crypto`; undefined if the algorithm implies its hash. */
  readonly hash: string | undefined;
  /** AlgorithmIdentifier, DER. */
  readonly identifier: Uint8Array;
  readonly salt: number | undefined;
};

const derNull = derElement(0x05);
const sha256 = derSequence(derOid("2.16.840.1.101.3.4.2.1"));
const mgf1 = derElement(0xa1, derSequence(derOid("1.2.840.113549.1.1.8"), sha256));

/** RFC 4055, RFC 5758, RFC 8410; the weak ones exist to be refused (ETSI TS 119 312). */
export const signatureAlgorithms = {
  "ecdsa-sha256": ecdsa("sha256", "1.2.840.10045.4.3.2"),
  "ecdsa-sha384": ecdsa("sha384", "1.2.840.10045.4.3.3"),
  "ecdsa-sha512": ecdsa("sha512", "1.2.840.10045.4.3.4"),
  "ecdsa-sha224": ecdsa("sha224", "1.2.840.10045.4.3.1"),
  "ecdsa-sha1": ecdsa("sha1", "1.2.840.10045.4.1"),
  "rsa-sha256": rsa("sha256", "1.2.840.113549.1.1.11"),
  "rsa-sha1": rsa("sha1", "1.2.840.113549.1.1.5"),
  "rsa-md5": rsa("md5", "1.2.840.113549.1.1.4"),
  "pss-sha256": pss("sha256", 32, [derElement(0xa0, sha256), mgf1, derElement(0xa2, derSmallInteger(32))]),
  "pss-sha1": pss("sha1", 20, []),
  ed25519: { hash: undefined, identifier: derSequence(derOid("1.3.101.112")), salt: undefined },
} as const satisfies Readonly<Record<string, SignatureAlgorithm>>;

/** One of those algorithms. */
export type SignatureName = keyof typeof signatureAlgorithms;

/** The algorithm that an authority with this key uses by default; SHA-1 exists to be refused. */
export function usualAlgorithm(key: KeyObject, hash: "sha256" | "sha1" = "sha256"): SignatureName {
  if (key.asymmetricKeyType === "ed25519") return "ed25519";
  return key.asymmetricKeyType === "rsa" ? `rsa-${hash}` : `ecdsa-${hash}`;
}

/** The BIT STRING of a signature over octets. */
export function signatureBits(
  octets: Uint8Array,
  key: KeyObject,
  { hash, salt }: SignatureAlgorithm,
): Uint8Array {
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  const signer = salt === undefined ? key : { key, padding, saltLength: salt };
  return derBitString(sign(hash, Buffer.from(octets), signer));
}

function ecdsa(hash: string, oid: string): SignatureAlgorithm {
  return { hash, identifier: derSequence(derOid(oid)), salt: undefined };
}

function rsa(hash: string, oid: string): SignatureAlgorithm {
  return { hash, identifier: derSequence(derOid(oid), derNull), salt: undefined };
}

function pss(hash: string, salt: number, parameters: readonly Uint8Array[]): SignatureAlgorithm {
  const identifier = derSequence(derOid("1.2.840.113549.1.1.10"), derSequence(...parameters));
  return { hash, identifier, salt };
}
