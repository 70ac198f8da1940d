/**
 * The proof that a call may proceed. This folder owns rows 2 to 6 of a call: from the presented certificate and token to who
 * calls, for whom, and with which consent; `admit-call.ts` lists the checks. It decides nothing about the content of a call,
 * and knows no HTTP status.
 */
import type { AccountId, ApplicationId, PsuId, Scope } from "@cobs/cobs-model";
import type { Psd2Role, RevocationDemand, TppIdentity } from "@cobs/psd2-certificates";
import type { ConsentId } from "../introspection/token-introspection.ts";

/** What a resource requires of its callers (COBS 1.3.1): a role in the certificate, and a token with a scope or no token. */
export type AdmissionNeeds = PsuNeeds | OptionalPsuNeeds | TppNeeds;

/** What every resource requires of the certificate. */
export interface CertificateNeeds {
  readonly role: Psd2Role;
  /** Whether the check goes on if the revocation status is unavailable: `certain` refuses, `known` goes on for a grace period. */
  readonly revocation: RevocationDemand;
}

/** A call for a PSU: certificate and token. */
export interface PsuNeeds extends CertificateNeeds {
  readonly token: "required";
  readonly scope: Scope;
}

/** A call of the TPP itself, which may also send the token of a PSU; if sent, the token must be good. */
export interface OptionalPsuNeeds extends CertificateNeeds {
  readonly token: "optional";
  readonly scope: Scope;
}

/** A call of the TPP alone; a token in the call is not read. */
export interface TppNeeds extends CertificateNeeds {
  readonly token: "none";
}

/** A TPP calls for itself: its certificate is verified and holds the role. */
export interface TppAdmission {
  readonly kind: "tpp";
  readonly tpp: TppIdentity;
}

/**
 * A TPP calls for a PSU: the token is active, bound to this certificate and issued to this TPP, and the consent covers the
 * service.
 */
export interface PsuAdmission {
  readonly kind: "psu";
  readonly tpp: TppIdentity;
  readonly applicationId: ApplicationId;
  readonly psu: PsuId;
  readonly consentId: ConsentId;
  readonly service: Scope;
  /** The accounts that the PSU chose; the bank decides whether they still belong to the PSU. */
  readonly accounts: readonly AccountId[];
  /** When the PSU was strongly authenticated for this consent; undefined counts as long ago. */
  readonly authenticatedAt: Date | undefined;
}

/** The proof that a call may proceed. */
export type Admission = PsuAdmission | TppAdmission;
