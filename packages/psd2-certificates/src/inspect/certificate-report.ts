/**
 * An inspection explains every check of a certificate. It owns the words; the rules are those of the verifier, which
 * `certificate-checks.ts` lists. A report is for the bank and for the holder of the certificate: it repeats what was
 * configured and presented, and must not be shown to strangers.
 */
import type { CheckName } from "../certificate-check.ts";
import type { CertificateRefusalCode } from "../certificate-refusal.ts";

/** One check in a report. Every text is legible: without control or invisible characters, and of bounded length. */
export interface CheckReport {
  readonly check: CheckName;
  /** The check in words. */
  readonly title: string;
  /** Clause that requires the check. */
  readonly clause: string;
  /** `not_reached`: its input could not be read, or was not given. */
  readonly outcome: "passed" | "failed" | "not_reached";
  /** The values that were checked. */
  readonly found: string;
  /** For a failure: what is wrong, as in the bank's log. */
  readonly detail?: string;
  /** For a failure: the code with which the verifier refuses. */
  readonly code?: CertificateRefusalCode;
  /** For a failure: what must change, and who can change it. */
  readonly remedy?: string;
}

/** What a certificate says about itself and its holder, as far as it can be read; unverified. Times are ISO 8601. */
export interface CertificateFacts {
  readonly thumbprint: string;
  /** Thumbprint of its other form, which is known once it has a path and its authority has an elliptic key. */
  readonly twinThumbprint?: string;
  readonly subject: string;
  readonly issuer: string;
  readonly serialNumber: string;
  readonly notBefore: string;
  readonly notAfter: string;
  /** Whole days until notAfter; negative after it. */
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

/** Plain data, unchanged by a round trip through JSON. */
export interface CertificateReport {
  /** Whether no check failed. A revocation that was not checked is not a failure. */
  readonly accepted: boolean;
  /** Code of the first failed check, with which the verifier refuses. */
  readonly code?: CertificateRefusalCode;
  /** Time at which the certificate is judged, ISO 8601. */
  readonly at: string;
  /** Absent if the certificate cannot be read. */
  readonly facts?: CertificateFacts;
  readonly checks: readonly CheckReport[];
}
