/**
 * After a backup was restored: what was ended between it and the loss is there again, and nobody can say what that was. So all of
 * it ends: consents with their codes and tokens, consents to card issuers, orders that wait for approval, sessions, and the
 * epoch of Redis. This folder owns that; it does not own blocks and keys, which only a person can set again.
 */
import type { Database, Queries } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import {
  endCardConsentsWhere,
  type RecordedCardConsent,
  recordAndTellEnded,
} from "../card-consent/end-card-consents-postgres.ts";
import { endConsentsWhere } from "../consent/end-consents-where-postgres.ts";
import { tellEnded } from "../consent/end-payments-postgres.ts";
import { type EndedConsent, recordEnded } from "../consent/record-consents.ts";
import { createEphemeralEpochs, recordTurn } from "../ephemeral/ephemeral-epoch-postgres.ts";
import { endSignings } from "../signing/end-signings-postgres.ts";

/** How much has ended. */
export interface EndedAfterRestore {
  readonly consents: number;
  readonly cardConsents: number;
}

const BATCH_ROWS = 500;
const ENDING = { by: "bank", reason: "bank_revoked" } as const;

// Each batch begins at what is left, by an index of nothing else: however much has ended before, none looks through it again.
// Those whose time is over as well: should a clock go back, nothing of them comes back either.
const END_CONSENTS = endConsentsWhere({
  due: `SELECT id FROM consent WHERE ended_at IS NULL ORDER BY valid_until LIMIT ${BATCH_ROWS} FOR UPDATE`,
  set: "ended_at = now(), ended_by = $1, end_reason = $2",
  where: "consent.id = due.id",
});

const END_CARD_CONSENTS = endCardConsentsWhere(`id IN (
  SELECT id FROM card_consent WHERE ended_at IS NULL
  ORDER BY organisation_identifier, iban, psu_id LIMIT ${BATCH_ROWS} FOR UPDATE)`);

// Locked: what a second run of this program is forgetting at this moment is waited for, and is not taken for all that is left.
const FORGET_SESSIONS = `DELETE FROM ephemeral_record WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM ephemeral_record ORDER BY expires_at LIMIT ${BATCH_ROWS} FOR UPDATE)) RETURNING kind`;

/**
 * Ends it, some at a time, each recorded and told in the feed in the transaction of its end, while no process of auth runs. When
 * it breaks off it is run again, and goes on.
 */
export async function endRevived(database: Database, act: Act): Promise<EndedAfterRestore> {
  await turnEpoch(database, act);
  await untilNone(() => database.run({ name: "revived-sessions", text: FORGET_SESSIONS, values: [] }));
  const consents = await untilNone(() => database.transaction((queries) => endConsents(queries, act)));
  const cardConsents = await untilNone(() =>
    database.transaction((queries) => endCardConsents(queries, act)),
  );
  // Under consents that ended before the backup there is none; under no consent at all there may be.
  await database.transaction((queries) => endSignings(queries, { of: "everyone" }, act));
  return { consents, cardConsents };
}

async function untilNone(batch: () => Promise<readonly unknown[]>): Promise<number> {
  let count = 0;
  for (let rows = await batch(); rows.length > 0; rows = await batch()) count += rows.length;
  return count;
}

/** What Redis holds is of sessions and limits that the backup does not know. */
async function turnEpoch(database: Database, act: Act): Promise<void> {
  const epochs = createEphemeralEpochs(database);
  await epochs.replace(await epochs.current(), (next, queries) => recordTurn(queries, act, next));
}

async function endConsents(queries: Queries, act: Act): Promise<readonly EndedConsent[]> {
  const statement = { name: "revived-consents", text: END_CONSENTS, values: [ENDING.by, ENDING.reason] };
  const ended = await queries.run<EndedConsent>(statement);
  await appendAudit(
    queries,
    ended.flatMap((each) => recordEnded({ ...ENDING, act }, each)),
  );
  await tellEnded(queries, ended, act);
  return ended;
}

async function endCardConsents(queries: Queries, act: Act): Promise<readonly RecordedCardConsent[]> {
  const values = [ENDING.by, ENDING.reason];
  const statement = { name: "revived-card-consents", text: END_CARD_CONSENTS, values };
  const ended = await queries.run<RecordedCardConsent>(statement);
  await recordAndTellEnded(queries, { ...ENDING, act }, ended);
  return ended;
}
