import { presentErrors } from "@cobs/cobs-model";
import type { PresentedError } from "@cobs/service-edge";

/** A limit that is reached for now. */
export interface TooOften {
  /** The limit, for the log. */
  readonly code: string;
  readonly continuesAt: Date;
  readonly retryAfterSeconds: number;
}

/** Presents a limit that is reached, and when calls may continue (RFC 6585 section 4); COBS has no code for it. */
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
