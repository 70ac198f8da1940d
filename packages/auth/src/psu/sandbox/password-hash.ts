import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** The work factors of scrypt (RFC 7914 section 2): N, r and p. */
export interface ScryptCost {
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
}

/** A password as it is kept: with its own salt and the cost it was made with. */
export interface PasswordHash {
  readonly hash: Buffer;
  readonly salt: Buffer;
  readonly scrypt: ScryptCost;
}

/**
 * For passwords that a machine made with 56 random bits, as those of the demo PSUs: 16 MiB and one pass put them out of reach.
 * Passwords that people choose need five times as much (OWASP Password Storage Cheat Sheet: N = 2^14 with p = 5, or its equals).
 * Each row keeps its own cost, so that both can stand side by side.
 */
export const GENERATED_PASSWORD_COST: ScryptCost = { cost: 16_384, blockSize: 8, parallelization: 1 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;
const MEMORY_LIMIT_BYTES = 256 * 1024 * 1024;

/** Hashes a new password under a fresh salt, away from the main thread. */
export async function hashPassword(password: string, cost: ScryptCost): Promise<PasswordHash> {
  const salt = randomBytes(SALT_BYTES);
  return { hash: await derive(password, salt, cost), salt, scrypt: cost };
}

/** A hash that no password has and that takes as long to compare with as a real one of the same cost. */
export function decoyPasswordHash(cost: ScryptCost): PasswordHash {
  return { hash: randomBytes(HASH_BYTES), salt: randomBytes(SALT_BYTES), scrypt: cost };
}

/** Whether the password is the one that was hashed; compares in constant time. */
export async function isPassword(password: string, kept: PasswordHash): Promise<boolean> {
  return timingSafeEqual(await derive(password, kept.salt, kept.scrypt), kept.hash);
}

function derive(password: string, salt: Buffer, cost: ScryptCost): Promise<Buffer> {
  const options = { ...cost, maxmem: MEMORY_LIMIT_BYTES };
  // Another keyboard may compose the same letters differently (NIST SP 800-63B 5.1.1.2).
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, HASH_BYTES, options, (error, hash) =>
      error === null ? resolve(hash) : reject(error),
    );
  });
}
