import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readTypedCode } from "../../forms/typed-code.ts";

/** Digits, which every keypad has, without spaces and dashes: at least 66 random bits, so that a fast hash is enough. */
const CODE = /^[0-9]{20,32}$/;

/** Hashes an activation code as it is kept. */
export function hashActivationCode(code: string): Buffer {
  return createHash("sha256").update(readTypedCode(code)).digest();
}

/** Whether what was typed is the code of this hash; compares in constant time. */
export function isActivationCode(typed: string, hash: Buffer): boolean {
  const known = CODE.test(readTypedCode(typed)) ? hashActivationCode(typed) : randomBytes(hash.length);
  return timingSafeEqual(known, hash);
}

/** A hash that no code has. */
export function decoyActivationHash(): Buffer {
  return randomBytes(32);
}
