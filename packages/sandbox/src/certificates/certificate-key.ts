import { createHash, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";

/** The kinds of key that the test CA makes; the last four exist to be refused. */
export const keyTypes = [
  "P-256",
  "P-384",
  "P-521",
  "Ed25519",
  "RSA-2048",
  "RSA-3072",
  "RSA-4096",
  "RSA-1024",
  "RSA-1536",
  "secp256k1",
  "P-224",
] as const;

/** One of those kinds. */
export type KeyType = (typeof keyTypes)[number];

const generate = promisify(generateKeyPair);

/** Generates a private key. */
export async function generatePrivateKey(type: KeyType): Promise<KeyObject> {
  if (type === "Ed25519") return (await generate("ed25519", {})).privateKey;
  const modulusLength = Number(/^RSA-(\d+)$/.exec(type)?.[1]);
  if (modulusLength > 0) return (await generate("rsa", { modulusLength })).privateKey;
  return (await generate("ec", { namedCurve: type })).privateKey;
}

/** The SubjectPublicKeyInfo in DER of a private key, or of a public key or certificate in PEM. */
export function publicKeyInfo(key: KeyObject | string): Buffer {
  return createPublicKey(key).export({ type: "spki", format: "der" });
}

/** The key identifier of a public key: 20 octets of SHA-256 over its SubjectPublicKeyInfo (RFC 7093 2, method 4). */
export function keyIdentifier(key: KeyObject | string): Buffer {
  return createHash("sha256").update(publicKeyInfo(key)).digest().subarray(0, 20);
}
