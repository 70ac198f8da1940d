import type { CertificateRefusalCode } from "@cobs/psd2-certificates";
import type { CertificateOrder } from "../certificate-order.ts";

/** Makes one thing in a valid certificate wrong. */
export type Change = (right: CertificateOrder) => Partial<CertificateOrder>;

/** One way for a certificate to be wrong. */
export type Defect = {
  /** In kebab-case; also names the files. */
  readonly name: string;
  /** What is wrong, in a sentence. */
  readonly wrong: string;
  /** The clause that it breaks, or that allows refusing it. */
  readonly clause: string;
  /** The code with which psd2-certificates refuses it. */
  readonly code: CertificateRefusalCode;
  /**
   * `tls` if a TLS client can present it; `header` if OpenSSL ends the handshake, so that only a proxy's header can carry it.
   */
  readonly carriedBy: "tls" | "header";
  readonly change: Change;
};

/** A row of a table: name, what is wrong, clause, and the change. */
export type DefectRow = readonly [name: string, wrong: string, clause: string, change: Change];

/** Defects with a common code, in certificates that a TLS client can present. */
export function refusedWith(code: CertificateRefusalCode, rows: readonly DefectRow[]): readonly Defect[] {
  return rows.map(([name, wrong, clause, change]) => ({
    name,
    wrong,
    clause,
    code,
    carriedBy: "tls",
    change,
  }));
}

/** Defects with a common code, in certificates that end the handshake before a reason can be given. */
export function refusedBehindProxy(
  code: CertificateRefusalCode,
  rows: readonly DefectRow[],
): readonly Defect[] {
  return refusedWith(code, rows).map((defect) => ({ ...defect, carriedBy: "header" }));
}
