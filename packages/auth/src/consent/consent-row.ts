import type { AccountId, ApplicationId, PsuId, Scope } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Consent, ConsentTerms, EndedBy, EndReason } from "./consent.ts";
import type { ConsentId } from "./consent-id.ts";
import type { UsedConsent } from "./consent-search.ts";

/** The terms of a consent as PostgreSQL returns them: times are `Date` in a row, strings in JSON. */
interface TermsRow<Time> {
  readonly id: ConsentId;
  readonly application_id: ApplicationId;
  readonly psu_id: PsuId;
  readonly version: number;
  readonly organisation_identifier: OrganisationIdentifier;
  readonly services: readonly Scope[];
  readonly account_ids: readonly AccountId[];
  readonly authenticated_at: Time;
  readonly given_at: Time;
  readonly valid_until: Time;
}

/** An active consent within a JSON value that holds others too. */
export type ActiveConsentJson = TermsRow<string>;

/** A consent as PostgreSQL returns it; the three columns of an ending are all set or all null. */
export interface ConsentRow extends TermsRow<Date> {
  readonly ended_at: Date | null;
  readonly ended_by: EndedBy | "server" | null;
  readonly end_reason: EndReason | "expired" | null;
  /** Whether `valid_until` is still ahead, by the database's clock. */
  readonly in_time: boolean;
}

/** Condition for an active consent, in a statement where no other table has these columns. */
export const IS_ACTIVE = "ended_at IS NULL AND valid_until > now()";

/**
 * The state of a row as it is written, by which the consents to an application or a TPP have their indexes: one that is past
 * its time is still active.
 */
export const WRITTEN_STATE =
  "(CASE WHEN end_reason = 'expired' THEN 'expired' WHEN ended_at IS NULL THEN 'active' ELSE 'revoked' END)";

/** The columns of an {@link ActiveConsentJson}. */
export const TERMS_COLUMNS = `id, application_id, psu_id, version, organisation_identifier, services, account_ids,
  authenticated_at, given_at, valid_until`;

/** The columns of a {@link ConsentRow}. */
export const CONSENT_COLUMNS = `${TERMS_COLUMNS}, ended_at, ended_by, end_reason, valid_until > now() AS in_time`;

function readTerms(row: TermsRow<Date | string>): ConsentTerms {
  return {
    id: row.id,
    version: row.version,
    organisationIdentifier: row.organisation_identifier,
    applicationId: row.application_id,
    psu: row.psu_id,
    services: row.services,
    accounts: row.account_ids,
    givenAt: new Date(row.given_at),
    authenticatedAt: new Date(row.authenticated_at),
    validUntil: new Date(row.valid_until),
  };
}

/** Reads a consent that was selected with {@link IS_ACTIVE}. */
export function readActiveConsent(json: ActiveConsentJson): Consent {
  return { state: "active", ...readTerms(json) };
}

/**
 * Reads a row. A revoked consent stays revoked after `valid_until`. A consent past `valid_until` is expired, whether or
 * not the row says so yet.
 */
export function readConsent(row: ConsentRow): Consent {
  const terms = readTerms(row);
  const { ended_at: endedAt, ended_by: endedBy, end_reason: reason } = row;
  // In V8 of Node.js 20, a member named before a spread costs a tenth of one named after it.
  if (endedAt === null || endedBy === null || reason === null) {
    return { state: row.in_time ? "active" : "expired", ...terms };
  }
  if (endedBy === "server" || reason === "expired") return { state: "expired", ...terms };
  return { state: "revoked", endedAt, endedBy, reason, ...terms };
}

/** A {@link ConsentRow} with its last use. */
export interface UsedConsentRow extends ConsentRow {
  readonly last_used_at: Date | null;
}

/** The columns of a {@link UsedConsentRow}, in a statement that reads `consent` under its own name. */
export const USED_CONSENT_COLUMNS = `${CONSENT_COLUMNS},
  (SELECT used_at FROM consent_use WHERE consent_id = consent.id) AS last_used_at`;

/** Reads a {@link UsedConsentRow}. */
export function readUsedConsent(row: UsedConsentRow): UsedConsent {
  return { ...readConsent(row), lastUsedAt: row.last_used_at ?? undefined };
}
