import type { CertificateRefusalCode } from "@cobs/psd2-certificates";
import type { CertificateOrder } from "../certificate-order.ts";

/** Makes one thing of a right certificate wrong. */
export type Change = (right: CertificateOrder) => Partial<CertificateOrder>;

/** One way for a certificate to be wrong. */
export type Defect = {
  /** In kebab-case; it names the files too. */
  readonly name: string;
  /** What is wrong, in a sentence. */
  readonly wrong: string;
  /** The clause that it breaks, or that lets it be refused. */
  readonly clause: string;
  /** The code of psd2-certificates that refuses it. */
  readonly code: CertificateRefusalCode;
  /** Whether a TLS client can present it, or only a proxy's header can carry it because OpenSSL ends the handshake. */
  readonly carriedBy: "tls" | "header";
  readonly change: Change;
};

/** A defect as a table writes it: name, what is wrong, clause, and the change. */
export type DefectRow = readonly [name: string, wrong: string, clause: string, change: Change];

/** The rows of a table that share a code, for certificates that a TLS client can present. */
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

/** The same for certificates that end the handshake before anybody can be told why. */
export function refusedBehindProxy(
  code: CertificateRefusalCode,
  rows: readonly DefectRow[],
): readonly Defect[] {
  return refusedWith(code, rows).map((defect) => ({ ...defect, carriedBy: "header" }));
}
