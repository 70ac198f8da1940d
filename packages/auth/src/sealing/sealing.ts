import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import type { Secret } from "@cobs/service-edge";

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Reads the sealing key from its text, 32 bytes in base64url; throws for any other length. */
export function readSealingKey(text: Secret): KeyObject {
  const bytes = Buffer.from(text.reveal().trim(), "base64url");
  if (bytes.length !== KEY_BYTES) throw new TypeError(`must be ${KEY_BYTES} bytes in base64url`);
  return createSecretKey(bytes);
}

/** Derives a key for one purpose alone (RFC 5869), so that no two uses share a key; it is the same in every process. */
export function deriveKey(key: KeyObject, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync("sha256", key, Buffer.alloc(0), purpose, KEY_BYTES)));
}

/** HMAC-SHA-256 of a text. */
export function authenticate(key: KeyObject, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

/** Seals a secret to its owner with AES-256-GCM: nonce, tag, ciphertext. A row copied to another owner does not open. */
export function seal(key: KeyObject, secret: Uint8Array, owner: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Opens what `seal` made; throws for another key or owner, or when a bit has changed. */
export function unseal(key: KeyObject, sealed: Uint8Array, owner: string): Uint8Array {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
}
