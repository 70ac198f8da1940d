/**
 * An inspection: every check of a certificate, explained. It owns the words; the rules are those of the verifier, which
 * `certificate-checks.ts` lists. A report is for the bank and for the holder of the certificate: it says what was
 * configured and what was presented, and must not be shown to strangers.
 */
import type { CheckName } from "../certificate-check.ts";
import type { CertificateRefusalCode } from "../certificate-refusal.ts";

/** One check in a report. Every text is legible: without control or invisible characters, and of bounded length. */
export interface CheckReport {
  readonly check: CheckName;
  /** The check in words. */
  readonly title: string;
  /** What asks for it. */
  readonly clause: string;
  /** `not_reached`: what it looks at could not be read, or was not given. */
  readonly outcome: "passed" | "failed" | "not_reached";
  /** The values that were looked at. */
  readonly found: string;
  /** Of a failure: what is wrong, as the log of the bank says it. */
  readonly detail?: string;
  /** Of a failure: what the verifier refuses with. */
  readonly code?: CertificateRefusalCode;
  /** Of a failure: what would have to change, and who can change it. */
  readonly remedy?: string;
}

/** What a certificate says of itself and its holder, as far as it can be read; believed by nobody. Times are ISO 8601. */
export interface CertificateFacts {
  readonly thumbprint: string;
  readonly subject: string;
  readonly issuer: string;
  readonly serialNumber: string;
  readonly notBefore: string;
  readonly notAfter: string;
  /** Whole days until notAfter, negative after it. */
  readonly daysLeft: number;
  readonly key: string;
  readonly signature: string;
  readonly organisationIdentifier?: string;
  readonly organisationName?: string;
  readonly roles?: readonly string[];
  readonly authority?: { readonly id: string; readonly name: string };
  readonly policies: readonly string[];
  readonly ocspResponders: readonly string[];
  readonly crls: readonly string[];
}

/** Plain data, the same after a way through JSON. */
export interface CertificateReport {
  /** Whether no check failed. A revocation that nobody asked about is no failure. */
  readonly accepted: boolean;
  /** Of the first check that failed: what the verifier refuses with. */
  readonly code?: CertificateRefusalCode;
  /** The time for which it was judged, ISO 8601. */
  readonly at: string;
  /** Absent when the certificate cannot be read. */
  readonly facts?: CertificateFacts;
  readonly checks: readonly CheckReport[];
}
