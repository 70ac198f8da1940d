import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** Digits, which every keypad has, spaces and dashes taken out: at least 66 random bits, so that a fast hash is enough. */
const CODE = /^[0-9]{20,32}$/;

/** What is kept of an activation code. */
export function hashActivationCode(code: string): Buffer {
  return createHash("sha256").update(normalise(code)).digest();
}

/** Whether what was typed is the code of this hash; compares in constant time. */
export function isActivationCode(typed: string, hash: Buffer): boolean {
  const known = CODE.test(normalise(typed)) ? hashActivationCode(typed) : randomBytes(hash.length);
  return timingSafeEqual(known, hash);
}

/** A hash that no code has. */
export function decoyActivationHash(): Buffer {
  return randomBytes(32);
}

function normalise(code: string): string {
  return code.replace(/[\s-]/g, "");
}
