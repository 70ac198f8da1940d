/**
 * The forms of our pages. This folder owns how a form is known to be ours, from the page it stood on and the browser that loaded
 * it, and how its fields are read. It knows no page.
 */
import { createHash, type KeyObject, timingSafeEqual } from "node:crypto";
import { authenticate, deriveKey } from "../sealing/sealing.ts";

/** What a form belongs to: its page, its name, and something that only its browser holds or that names its PSU and step. */
export type FormBinding = readonly string[];

/** Derives the key of all form tokens from the sealing key; it is the same in every process. */
export function deriveFormKey(sealingKey: KeyObject): KeyObject {
  return deriveKey(sealingKey, "page-forms");
}

/**
 * The proof that we rendered this very form (OWASP ASVS 3.5). Another site that makes a browser post a form cannot know it, and
 * the token of one form is worthless for another.
 */
export function formToken(key: KeyObject, bound: FormBinding): string {
  return authenticate(key, JSON.stringify(["token", ...bound])).toString("base64url");
}

/** Whether a token is the one that `formToken` gave; compares in constant time. */
export function isFormToken(token: string | undefined, expected: string): boolean {
  return timingSafeEqual(digest(token ?? ""), digest(expected));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
