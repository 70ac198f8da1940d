import type { X509Certificate } from "node:crypto";

/** One certificate as read from its bytes. */
export interface Certificate {
  readonly x509: X509Certificate;
}
