/** Neither OCSP nor a CRL says anything usable about a certificate now: it may be good, and cannot be relied on. */
export class RevocationUnavailable extends Error {
  /** Which sources were asked and how each failed, for the log. */
  readonly detail: string;

  constructor(detail: string) {
    super("no source of revocation answers");
    this.name = "RevocationUnavailable";
    this.detail = detail;
  }
}
