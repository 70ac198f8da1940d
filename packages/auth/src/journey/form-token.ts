import { createHash, type KeyObject, timingSafeEqual } from "node:crypto";
import { authenticate, deriveKey } from "../sealing/sealing.ts";
import type { PendingAuthorization } from "./pending-authorization.ts";

/** The forms of the journey; a token of one is worth nothing for another. */
export type FormPurpose = "sign-in" | "consent" | "cancel";

/** The key of all form tokens, from the sealing key; the same in every process. */
export function deriveFormKey(sealingKey: KeyObject): KeyObject {
  return deriveKey(sealingKey, "page-forms");
}

/**
 * The proof that we rendered this form for this interaction, in its present step, to this PSU (OWASP ASVS 3.5): whoever
 * makes a browser post a form from elsewhere cannot know it.
 */
export function formToken(key: KeyObject, pending: PendingAuthorization, purpose: FormPurpose): string {
  const bound = ["token", pending.uid, purpose, pending.step, pending.psu ?? ""];
  return authenticate(key, JSON.stringify(bound)).toString("base64url");
}

/** Whether a token is the one that `formToken` gave; compares in constant time. */
export function isFormToken(token: string | undefined, expected: string): boolean {
  return timingSafeEqual(digest(token ?? ""), digest(expected));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
