import { presentErrors } from "@cobs/cobs-model";
import type { PresentedError } from "@cobs/service-edge";
import type { BalanceCheckLimitRefusal } from "../balance-check/balance-check-limit-refusal.ts";

/** Presents that a TPP has asked about an account too often (RFC 6585 section 4); COBS has no code for it. */
export function presentBalanceCheckLimit(refusal: BalanceCheckLimitRefusal): PresentedError {
  const { continuesAt, retryAfterSeconds } = refusal;
  const fault = {
    code: "NARR",
    path: undefined,
    parameters: { CONTINUES_AT: continuesAt.toISOString() },
    message:
      "you have asked about this account, or about different amounts on it, as often as is allowed; the same amount may be asked about again",
  } as const;
  return {
    answer: {
      status: 429,
      headers: { "Retry-After": String(retryAfterSeconds) },
      json: presentErrors([fault]),
    },
    logFacts: { refusal: "balance_check_limit", continuesAt: continuesAt.toISOString() },
  };
}
