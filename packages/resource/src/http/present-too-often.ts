import { presentErrors } from "@cobs/cobs-model";
import type { PresentedError } from "@cobs/service-edge";

/** Something was asked for as often as it may be for now. */
export interface TooOften {
  /** For the log: which limit it was. */
  readonly code: string;
  readonly continuesAt: Date;
  readonly retryAfterSeconds: number;
}

/** Presents a limit that is reached, and when it goes on (RFC 6585 section 4); COBS has no code for it. */
export function presentTooOften(
  { code: refusal, continuesAt, retryAfterSeconds }: TooOften,
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
