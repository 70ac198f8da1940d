/** Reasons to refuse a TPP with an acceptable certificate, with the sentence that it may read. */
export const tppRefusals = {
  /** Its organisation identifier is on the stop list. */
  tpp_blocked: "This TPP is blocked at this bank. Contact the bank.",
  /** The certificate is on the stop list; another one of the same TPP may be acceptable. */
  certificate_blocked: "This certificate is blocked at this bank. Contact the bank.",
  /** At registration, the second, independent reader finds another organisation identifier in the certificate. */
  second_reader_disagrees: "The identity in the certificate could not be confirmed. Contact the bank.",
  /**
   * At registration, the second reader hangs or crashes on the certificate. Not 503: a retry would fail the same way, and a TPP
   * that retries automatically would keep the reader busy.
   */
  second_reader_failed: "The identity in the certificate could not be confirmed. Contact the bank.",
} as const;

/** A key of {@link tppRefusals}. */
export type TppRefusalCode = keyof typeof tppRefusals;

/** A refusal to an authenticated TPP; `message` is for the TPP, `detail` only for the log. */
export class TppRefusal extends Error {
  override readonly name = "TppRefusal";
  readonly code: TppRefusalCode;
  readonly detail: string;

  constructor(code: TppRefusalCode, detail: string) {
    super(tppRefusals[code]);
    this.code = code;
    this.detail = detail;
  }
}
