/** The certificates that a proxy hands on for one call: bytes alone, nothing about them is verified. */
export interface ForwardedCertificate {
  /** The leaf, DER. */
  readonly der: Buffer;
  /** What the TPP sent along, DER, the leaf not included. */
  readonly intermediates: readonly Buffer[];
}

/** A header is not exactly what its format says; `detail` is for the log of the bank. */
export class ForwardedFault extends Error {
  readonly detail: string;

  constructor(detail: string) {
    super("the forwarded certificate cannot be read");
    this.name = "ForwardedFault";
    this.detail = detail;
  }
}

/** The most that OpenSSL hands on of a direct connection, too. */
export const INTERMEDIATES_LIMIT = 8;
