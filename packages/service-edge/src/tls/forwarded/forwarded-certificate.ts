/** Certificates that a proxy forwards for one call: unverified bytes. */
export interface ForwardedCertificate {
  /** The leaf, DER. */
  readonly der: Buffer;
  /** Further certificates that the TPP sent, DER, without the leaf. */
  readonly intermediates: readonly Buffer[];
}

/** A header does not match its format exactly; `detail` is for the bank's log. */
export class ForwardedFault extends Error {
  readonly detail: string;

  constructor(detail: string) {
    super("the forwarded certificate cannot be read");
    this.name = "ForwardedFault";
    this.detail = detail;
  }
}

/** As many as OpenSSL passes on for a direct connection. */
export const INTERMEDIATES_LIMIT = 8;
