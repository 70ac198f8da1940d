/**
 * Why nothing can be told from the core system. The code and its detail are for the log and the metrics; a TPP gets 503.
 * - `core_busy`: as many calls as may be under way are, and none ended soon enough for this one
 * - `core_circuit_open`: most of the last calls failed, or of those of this kind; the core system is left alone
 *   with them for a moment
 * - `core_unreachable`: no answer at all: no connection, no TLS with the right certificates, or an end before the first byte
 * - `core_timed_out`: no whole answer within the limit
 * - `answer_cut`: the answer broke off in the middle: the connection ended, or a chunk is none
 * - `answer_broken`: it does not begin as HTTP: a status line or a header field that is none
 * - `answer_too_large`: more octets than any right answer has
 * - `answer_refused`: 401 or 403, the core system does not let this service in
 * - `answer_throttled`: 429, or 503
 * - `answer_status`: another status that the contract does not have, a redirect too
 * - `answer_malformed`: not what the contract says, or not an answer to what was asked
 */
export const CORE_UNAVAILABLE_CODES = [
  "core_busy",
  "core_circuit_open",
  "core_unreachable",
  "core_timed_out",
  "answer_cut",
  "answer_broken",
  "answer_too_large",
  "answer_refused",
  "answer_throttled",
  "answer_status",
  "answer_malformed",
] as const;

/** One of {@link CORE_UNAVAILABLE_CODES}. */
export type CoreUnavailableCode = (typeof CORE_UNAVAILABLE_CODES)[number];

/** When a caller may come again if the core system did not say it, in seconds. */
const USUAL_PAUSE_SECONDS = 2;

/** The core system gave no answer, or none that can be believed (503). `detail` never repeats what an answer says of a PSU. */
export class CoreUnavailable extends Error {
  readonly code: CoreUnavailableCode;
  readonly detail: string;
  readonly retryAfterSeconds: number;
  /** The kind of question, once its client has told it; a call may ask several. */
  operation: string | undefined;

  constructor(
    code: CoreUnavailableCode,
    detail: string,
    options: ErrorOptions & { readonly retryAfterSeconds?: number | undefined } = {},
  ) {
    super(`the core system cannot answer: ${code}`, options);
    this.name = "CoreUnavailable";
    this.code = code;
    this.detail = detail;
    this.retryAfterSeconds = options.retryAfterSeconds ?? USUAL_PAUSE_SECONDS;
  }
}

/** What the log says of it besides its code: what was wrong, and with the answer to which question. */
export function describeCoreFailure({
  detail,
  operation,
}: CoreUnavailable): Readonly<Record<string, string>> {
  return { detail, ...(operation !== undefined && { operation }) };
}
