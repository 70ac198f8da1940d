import type { TppIdentity } from "../tpp-identity.ts";

/** Neither OCSP nor a CRL gives a usable answer about a certificate now: it may be good, but cannot be relied on. */
export class RevocationUnavailable extends Error {
  /** Which sources were asked and how each failed, for the log. */
  readonly detail: string;
  /** Whose certificate it is, for the log; undefined if only a path was checked. */
  readonly tpp: TppIdentity | undefined;

  constructor(detail: string, tpp?: TppIdentity) {
    super("no revocation source gave a usable answer");
    this.name = "RevocationUnavailable";
    this.detail = detail;
    this.tpp = tpp;
  }
}
