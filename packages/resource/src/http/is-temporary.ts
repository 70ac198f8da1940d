import { RevocationUnavailable } from "@cobs/psd2-certificates";
import { isDatabaseUnavailable, PrivateServiceUnavailable } from "@cobs/service-edge";
import { AuthAnswerRefusal } from "../auth-answers/auth-answer-refusal.ts";
import { CoreUnavailable } from "../bank/core-unavailable.ts";

/**
 * Whether nothing could be decided, because auth, the database, the core system or the sources of revocation cannot be
 * reached, or because an answer of auth or the core system cannot be believed. The caller may try again later (503).
 */
export function isTemporary(error: unknown): boolean {
  return (
    error instanceof PrivateServiceUnavailable ||
    error instanceof AuthAnswerRefusal ||
    error instanceof RevocationUnavailable ||
    error instanceof CoreUnavailable ||
    isDatabaseUnavailable(error)
  );
}
