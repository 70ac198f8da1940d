import type { AccountId, ApplicationId, PsuId, Scope } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { ConsentId } from "./consent-id.ts";

/** Who ended a consent. */
export type EndedBy = "psu" | "tpp" | "bank";

/**
 * Why a consent ended before its time:
 * - `superseded`: the PSU gave a newer one to the same application
 * - `withdrawn`: the PSU withdrew it, here or at the bank
 * - `code_reused`: its authorization code came a second time (RFC 6749 4.1.2)
 * - `refresh_token_revoked`: the TPP revoked its refresh token (RFC 7009)
 * - `application_deleted`, `scope_removed`: the registration was changed
 * - `bank_revoked`: the bank ended it; the audit log says why
 * - `psu_blocked`: the bank blocked the PSU
 */
export type EndReason =
  | "superseded"
  | "withdrawn"
  | "code_reused"
  | "refresh_token_revoked"
  | "application_deleted"
  | "scope_removed"
  | "bank_revoked"
  | "psu_blocked";

/** What the PSU decided. Never changed afterwards: a new decision is a new version. */
export interface ConsentTerms {
  readonly id: ConsentId;
  /** Counts the PSU's consents to this application, from 1. */
  readonly version: number;
  readonly organisationIdentifier: OrganisationIdentifier;
  readonly applicationId: ApplicationId;
  readonly psu: PsuId;
  readonly services: readonly Scope[];
  /** Empty when the consent covers payments only. */
  readonly accounts: readonly AccountId[];
  readonly givenAt: Date;
  readonly authenticatedAt: Date;
  readonly validUntil: Date;
}

const DAY_MILLISECONDS = 86_400_000;

/** End of a consent's validity: `lifetimeDays` after the strong authentication for it (RTS Article 10a(2)(b)). */
export function validUntil(authenticatedAt: Date, lifetimeDays: number): Date {
  return new Date(authenticatedAt.getTime() + lifetimeDays * DAY_MILLISECONDS);
}

/** The PSU's decision and what became of it. */
export type Consent = ConsentTerms &
  (
    | { readonly state: "active" }
    /** Expired at `validUntil`. */
    | { readonly state: "expired" }
    | {
        readonly state: "revoked";
        readonly endedAt: Date;
        readonly endedBy: EndedBy;
        readonly reason: EndReason;
      }
  );
