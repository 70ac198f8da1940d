import type { AccountId, Iban, PsuId } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { CardConsent, CardConsentEndedBy, CardConsentEndReason, CardConsentId } from "./card-consent.ts";

/** A consent as PostgreSQL returns it; the three columns of an ending are all set or all null. */
export interface CardConsentRow {
  readonly id: CardConsentId;
  readonly psu_id: PsuId;
  readonly organisation_identifier: OrganisationIdentifier;
  readonly organisation_name: string | null;
  readonly account_id: AccountId;
  readonly iban: Iban;
  readonly given_at: Date;
  readonly ended_at: Date | null;
  readonly ended_by: CardConsentEndedBy | null;
  readonly end_reason: CardConsentEndReason | null;
}

/** The columns of a {@link CardConsentRow}, in a statement that reads `card_consent` under its own name. */
export const CARD_CONSENT_COLUMNS = `id, psu_id, organisation_identifier, account_id, iban, given_at, ended_at, ended_by,
  end_reason, coalesce((SELECT tpp.organisation_name FROM tpp
    WHERE tpp.organisation_identifier = card_consent.organisation_identifier), organisation_name) AS organisation_name`;

/** Reads a row. */
export function readCardConsent(row: CardConsentRow): CardConsent {
  const terms = {
    id: row.id,
    psu: row.psu_id,
    organisationIdentifier: row.organisation_identifier,
    organisationName: row.organisation_name ?? undefined,
    account: row.account_id,
    iban: row.iban,
    givenAt: row.given_at,
  };
  const { ended_at: endedAt, ended_by: endedBy, end_reason: reason } = row;
  if (endedAt === null || endedBy === null || reason === null) return { ...terms, state: "active" };
  return { ...terms, state: "ended", endedAt, endedBy, reason };
}
