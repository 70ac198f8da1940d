import { presentErrors } from "@cobs/cobs-model";
import type { PresentedError } from "@cobs/service-edge";
import type { AccessLimitRefusal } from "../unattended/access-limit-refusal.ts";

/** Presents that no further access without the PSU may begin for now (RFC 6585 section 4); COBS has no code for it. */
export function presentAccessLimit({ continuesAt, retryAfterSeconds }: AccessLimitRefusal): PresentedError {
  const fault = {
    code: "NARR",
    path: undefined,
    parameters: { CONTINUES_AT: continuesAt.toISOString() },
    message:
      "without the PSU this was asked for as often as is allowed in 24 hours (RTS Article 36(5)(b)); with the PSU, send User-Involved: true",
  } as const;
  return {
    answer: {
      status: 429,
      headers: { "Retry-After": String(retryAfterSeconds) },
      json: presentErrors([fault]),
    },
    logFacts: { refusal: "access_limit", continuesAt: continuesAt.toISOString() },
  };
}
