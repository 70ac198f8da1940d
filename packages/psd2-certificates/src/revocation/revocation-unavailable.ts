/** Neither OCSP nor a CRL gives a usable answer about a certificate now: it may be good, but cannot be relied on. */
export class RevocationUnavailable extends Error {
  /** Which sources were asked and how each failed, for the log. */
  readonly detail: string;

  constructor(detail: string) {
    super("no revocation source gave a usable answer");
    this.name = "RevocationUnavailable";
    this.detail = detail;
  }
}
