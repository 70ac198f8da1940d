/**
 * Why the core system gave no usable answer. The code and its detail are for the log and the metrics; the TPP gets 503.
 * - `core_busy`: the limit of concurrent calls is reached, and none ended in time for this one
 * - `core_circuit_open`: most recent calls, or most of this kind, or of this kind about this PSU, failed; for a moment the
 *   core system is not called
 * - `core_unreachable`: no answer: no connection, no TLS with the right certificates, or closed before the first byte
 * - `core_timed_out`: no complete answer within the limit
 * - `answer_cut`: the answer broke off: the connection ended, or a chunk is malformed
 * - `answer_broken`: the answer is not HTTP: its status line or a header field is malformed
 * - `answer_too_large`: more octets than any correct answer has
 * - `answer_refused`: 401 or 403, the core system does not let this service in
 * - `answer_throttled`: 429, or 503
 * - `answer_status`: any other status that the contract does not have, redirects included
 * - `answer_malformed`: the answer breaks the contract, or answers another question
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

/** Seconds after which a caller may retry, unless the core system named another time. */
const USUAL_PAUSE_SECONDS = 2;

/**
 * The core system gave no answer, or one that cannot be believed (503). `detail` never repeats what an answer says of a PSU.
 */
export class CoreUnavailable extends Error {
  readonly code: CoreUnavailableCode;
  readonly detail: string;
  readonly retryAfterSeconds: number;
  /** The kind of question, set by the client; one call of a TPP may ask several. */
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

/** Fields for the log besides the code: what was wrong, and with the answer to which question. */
export function describeCoreFailure({
  detail,
  operation,
}: CoreUnavailable): Readonly<Record<string, string>> {
  return { detail, ...(operation !== undefined && { operation }) };
}
