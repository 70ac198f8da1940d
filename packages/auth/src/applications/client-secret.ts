import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { type ApplicationId, parseApplicationId } from "@cobs/cobs-model";

const ID_BYTES = 16;
const SECRET_BYTES = 32;

/** Makes the id of a new application: 128 random bits, which cannot be guessed and never repeat. */
export function createApplicationId(): ApplicationId {
  return parseApplicationId(randomBytes(ID_BYTES).toString("base64url"));
}

/** Makes a client secret: 256 random bits in 43 URL-safe characters. It is shown once and never stored. */
export function createClientSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

/** Hashes a client secret for storage: base64url of its SHA-256. The secret is random, so no slow hash is needed. */
export function hashClientSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

/** Whether a secret has the stored hash, compared in constant time. */
export function isClientSecret(secret: string, storedHash: string): boolean {
  const expected = Buffer.from(storedHash);
  const given = Buffer.from(hashClientSecret(secret));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
