/** Each reason for which a TPP with a good certificate is refused, with the sentence that it may read. */
export const tppRefusals = {
  /** Its organisation identifier is on the stop list. */
  tpp_blocked: "This TPP is blocked at this bank. Contact the bank.",
  /** This certificate is on the stop list; another one of the same TPP may be good. */
  certificate_blocked: "This certificate is blocked at this bank. Contact the bank.",
  /** At registration, the second, independent reader finds another organisation identifier in the certificate. */
  second_reader_disagrees: "The identity in the certificate could not be confirmed. Contact the bank.",
  /**
   * At registration, the second reader hangs or crashes on this certificate. Not 503: the next try would end in the same
   * way, and a TPP that repeats it by itself would keep the reader busy.
   */
  second_reader_failed: "The identity in the certificate could not be confirmed. Contact the bank.",
} as const;

/** A key of {@link tppRefusals}. */
export type TppRefusalCode = keyof typeof tppRefusals;

/** An expected no to a TPP that is who it says; `message` is for the TPP, `detail` for the log alone. */
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
