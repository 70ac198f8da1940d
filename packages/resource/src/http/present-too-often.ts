import { presentErrors } from "@cobs/cobs-model";
import type { PresentedError } from "@cobs/service-edge";
import type { Continuation } from "../limits/limit-refusal.ts";

/**
 * Presents a limit that is reached, and when calls may continue (RFC 6585 section 4); COBS has no code for it. The limit's own
 * code is for the log.
 */
export function presentTooOften(
  { code: refusal, continuesAt, retryAfterSeconds }: Continuation & { readonly code: string },
  message: string,
): PresentedError {
  const at = continuesAt.toISOString();
  return {
    answer: {
      status: 429,
      headers: { "Retry-After": String(retryAfterSeconds) },
      json: presentErrors([{ code: "NARR", path: undefined, parameters: { CONTINUES_AT: at }, message }]),
    },
    logFacts: { refusal, continuesAt: at },
  };
}
