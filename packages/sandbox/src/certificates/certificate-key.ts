import { createHash, createPublicKey, generateKeyPair, type KeyObject, webcrypto } from "node:crypto";
import { promisify } from "node:util";

/** The kinds of key that the test CA makes; the last four are there to be refused. */
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

/** The hash of a signature; SHA-1 is there to be refused. */
export type SignatureHash = "SHA-256" | "SHA-384" | "SHA-1";

const generate = promisify(generateKeyPair);
const generateEdwards = (type: "ed25519") => generate(type, {});

/** A new private key. */
export async function generatePrivateKey(type: KeyType): Promise<KeyObject> {
  if (type === "Ed25519") return (await generateEdwards("ed25519")).privateKey;
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

/** The same private key for the Web Cryptography API, ready to sign with the given hash. */
export async function signingKey(key: KeyObject, hash: SignatureHash): Promise<webcrypto.CryptoKey> {
  const pkcs8 = key.export({ type: "pkcs8", format: "der" });
  return webcrypto.subtle.importKey("pkcs8", pkcs8, keyAlgorithm(key, hash), false, ["sign"]);
}

function keyAlgorithm(key: KeyObject, hash: SignatureHash) {
  if (key.asymmetricKeyType === "rsa") return { name: "RSASSA-PKCS1-v1_5", hash };
  const curve = key.asymmetricKeyDetails?.namedCurve === "secp384r1" ? "P-384" : "P-256";
  return { name: "ECDSA", namedCurve: curve };
}
