import { createHash, type KeyObject, randomInt, timingSafeEqual } from "node:crypto";
import { readTypedCode } from "../forms/typed-code.ts";
import { authenticate, deriveKey } from "../sealing/sealing.ts";
import type { KeptCode, SigningTerms } from "./signing-request.ts";

/**
 * Eight digits: five tries guess right once in twenty million orders, where six digits would give once in two hundred thousand.
 * In two groups of four they can still be typed from memory.
 */
const CODE_DIGITS = 8;

/** Lifetime of a code (RTS Article 4(3)(d)). */
export const CODE_LIFETIME_MILLISECONDS = 5 * 60 * 1000;

/** Everything that a code is bound to: one request, the digest of its order, and the browser that asked for it. */
export interface CodeBond {
  readonly request: Pick<SigningTerms, "id" | "order">;
  readonly browser: string;
}

/** Derives the key of all codes from the sealing key; the same in every process. */
export function deriveCodeKey(sealingKey: KeyObject): KeyObject {
  return deriveKey(sealingKey, "signing-codes");
}

/** Makes a code for one order: the code to deliver, and what is kept of it. */
export function makeBoundCode(
  key: KeyObject,
  bond: CodeBond,
  now: Date,
): { readonly code: string; readonly kept: KeptCode } {
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, "0");
  const expiresAt = new Date(now.getTime() + CODE_LIFETIME_MILLISECONDS);
  const kept = { hash: hashCode(key, bond, code), browserHash: hashBrowser(bond.browser), expiresAt };
  return { code, kept };
}

/**
 * Tells whether the typed text is the unexpired code kept for exactly this order in this browser. Spaces and dashes are ignored.
 */
export function isBoundCode(
  key: KeyObject,
  attempt: CodeBond & { readonly code: string; readonly kept: KeptCode | undefined },
  now: Date,
): boolean {
  const code = readTypedCode(attempt.code);
  const { kept } = attempt;
  if (kept === undefined || !isLiveIn(attempt.browser, kept, now)) return false;
  return timingSafeEqual(hashCode(key, attempt, code), kept.hash);
}

/** Tells whether the kept code has not expired and this browser asked for it. */
export function isLiveIn(browser: string, kept: KeptCode, now: Date): boolean {
  return now < kept.expiresAt && timingSafeEqual(hashBrowser(browser), kept.browserHash);
}

// Recomputed from the current order: another amount or payee has another digest, so the code no longer matches.
function hashCode(key: KeyObject, { request, browser }: CodeBond, code: string): Buffer {
  const bound = [request.id, request.order.digest.toString("base64url"), browser, code];
  return authenticate(key, JSON.stringify(bound));
}

function hashBrowser(browser: string): Buffer {
  return createHash("sha256").update(browser).digest();
}
