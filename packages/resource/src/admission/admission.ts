/**
 * The proof that a call may proceed. This folder owns rows 2 to 6 of a call: from the presented certificate and token
 * to who calls, for whom, with which consent; `admit-call.ts` is the list. It decides nothing about the content of a
 * call, and knows no HTTP status.
 */
import type { AccountId, ApplicationId, PsuId, Scope } from "@cobs/cobs-model";
import type { Psd2Role, RevocationDemand, TppIdentity } from "@cobs/psd2-certificates";
import type { ConsentId } from "../introspection/token-introspection.ts";

/** What a resource asks of its callers (COBS 1.3.1): a role of the certificate, and a token with a scope or none at all. */
export type AdmissionNeeds = PsuNeeds | OptionalPsuNeeds | TppNeeds;

/** What every resource asks about the certificate. */
export interface CertificateNeeds {
  readonly role: Psd2Role;
  /** `certain` refuses to go on while nobody says whether the certificate was revoked; `known` goes on for a grace. */
  readonly revocation: RevocationDemand;
}

/** A call for a PSU: certificate and token. */
export interface PsuNeeds extends CertificateNeeds {
  readonly token: "required";
  readonly scope: Scope;
}

/** A call of the TPP, which may send the token of a PSU along; a token that is sent must be good. */
export interface OptionalPsuNeeds extends CertificateNeeds {
  readonly token: "optional";
  readonly scope: Scope;
}

/** A call of the TPP alone; a token that is sent is not read. */
export interface TppNeeds extends CertificateNeeds {
  readonly token: "none";
}

/** A TPP calls for itself: its certificate is verified and holds the role. */
export interface TppAdmission {
  readonly kind: "tpp";
  readonly tpp: TppIdentity;
}

/** A TPP calls for a PSU: the token is active, bound to this certificate, of this TPP, and the consent covers the service. */
export interface PsuAdmission {
  readonly kind: "psu";
  readonly tpp: TppIdentity;
  readonly applicationId: ApplicationId;
  readonly psu: PsuId;
  readonly consentId: ConsentId;
  readonly service: Scope;
  /** The accounts that the PSU chose; whether they are still the PSU's, the bank decides. */
  readonly accounts: readonly AccountId[];
  /** When the PSU was authenticated strongly for this consent; undefined is long ago. */
  readonly authenticatedAt: Date | undefined;
}

/** The proof that a call may proceed. */
export type Admission = PsuAdmission | TppAdmission;
