import type { AccountId, PsuId } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Queries } from "@cobs/service-edge";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import type { AuditEntry } from "../audit/audit-entry.ts";
import { appendEvents } from "../feed/append-events-postgres.ts";
import type { CardConsentId } from "./card-consent.ts";
import type { CardConsentEnding } from "./card-consent-store.ts";

/** What an audit entry says about a consent: the account by its id, never by its number. */
export interface RecordedCardConsent {
  readonly id: CardConsentId;
  readonly psu_id: PsuId;
  readonly organisation_identifier: OrganisationIdentifier;
  readonly account_id: AccountId;
}

/** Makes the statement that ends the active consents that meet a condition: `$1` is who ends them, `$2` why. */
export const endCardConsentsWhere = (condition: string) => `UPDATE card_consent
  SET ended_at = greatest(now(), given_at), ended_by = $1, end_reason = $2 WHERE ended_at IS NULL AND ${condition}
  RETURNING id, psu_id, organisation_identifier, account_id`;

const END_ONE = endCardConsentsWhere("id = $3");
const END_OF_PSU = endCardConsentsWhere("psu_id = $3");

/** Makes the entry of an ended consent. */
export function recordCardConsentEnded(
  { act, by, reason }: CardConsentEnding,
  consent: RecordedCardConsent,
): AuditEntry {
  const details = { ...aboutCardConsent(consent), by, reason };
  return { act, action: "card_consent.ended", subject: { kind: "card_consent", id: consent.id }, details };
}

/** The PSU, the TPP and the account of a consent. */
export function aboutCardConsent(consent: RecordedCardConsent) {
  const { psu_id: psu, organisation_identifier: tpp, account_id: account } = consent;
  return { psu, tpp, account };
}

/** Ends one consent, records it and appends its event, last in a transaction; false when it was not active. */
export async function endCardConsent(
  queries: Queries,
  id: CardConsentId,
  ending: CardConsentEnding,
): Promise<boolean> {
  const statement = { name: "card-consent-end", text: END_ONE, values: [ending.by, ending.reason, id] };
  const ended = await queries.run<RecordedCardConsent>(statement);
  await recordAndTellEnded(queries, ending, ended);
  return ended.length > 0;
}

/** Records ended consents and appends their events, last in the transaction that ended them. */
export async function recordAndTellEnded(
  queries: Queries,
  ending: CardConsentEnding,
  ended: readonly RecordedCardConsent[],
): Promise<void> {
  await appendAudit(
    queries,
    ended.map((each) => recordCardConsentEnded(ending, each)),
  );
  await appendEvents(
    queries,
    ended.map(({ id }) => ({ kind: "card_consent", key: id })),
  );
}

/** Ends every consent of a PSU and returns them. The caller records them, and appends one event that stands for all. */
export function endCardConsentsOfPsu(
  queries: Queries,
  psu: PsuId,
  { by, reason }: Omit<CardConsentEnding, "act">,
): Promise<readonly RecordedCardConsent[]> {
  return queries.run({ name: "card-consent-end-of-psu", text: END_OF_PSU, values: [by, reason, psu] });
}
