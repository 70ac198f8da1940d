import { RevocationUnavailable } from "@cobs/psd2-certificates";
import { isDatabaseUnavailable, PrivateServiceUnavailable } from "@cobs/service-edge";
import { AuthAnswerRefusal } from "../auth-answers/auth-answer-refusal.ts";
import { CoreUnavailable } from "../bank/core-unavailable.ts";

/**
 * Whether nothing could be decided: auth, the database, or those who know of revoked certificates cannot be asked now,
 * or auth or the core system gives no answer that can be believed. The caller may try again later (503).
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
