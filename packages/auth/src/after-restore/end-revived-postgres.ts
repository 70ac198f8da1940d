/**
 * Ends what a restored backup has revived: whatever ended between the backup and the loss is active again, and nobody
 * can say what that was. So everything ends: consents with their codes and tokens, consents to card issuers, orders
 * that wait for approval, sessions, and the epoch of Redis. This folder owns that. It does not own blocks and keys,
 * which only a person can restore.
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

/** How many consents ended. */
export interface EndedAfterRestore {
  readonly consents: number;
  readonly cardConsents: number;
}

const BATCH_ROWS = 500;
const ENDING = { by: "bank", reason: "bank_revoked" } as const;

// Each batch starts with the remaining consents, by an index of only these, so no batch reads ended ones. Includes
// expired ones: should a clock go back, they must not become active again.
const END_CONSENTS = endConsentsWhere({
  due: `SELECT id FROM consent WHERE ended_at IS NULL ORDER BY valid_until LIMIT ${BATCH_ROWS} FOR UPDATE`,
  set: "ended_at = now(), ended_by = $1, end_reason = $2",
  where: "consent.id = due.id",
});

const END_CARD_CONSENTS = endCardConsentsWhere(`id IN (
  SELECT id FROM card_consent WHERE ended_at IS NULL
  ORDER BY organisation_identifier, iban, psu_id LIMIT ${BATCH_ROWS} FOR UPDATE)`);

// Locked, so that this waits for the deletions of a parallel run, and does not take the other rows for all that is
// left.
const FORGET_SESSIONS = `DELETE FROM ephemeral_record WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM ephemeral_record ORDER BY expires_at LIMIT ${BATCH_ROWS} FOR UPDATE)) RETURNING kind`;

/**
 * Ends everything in batches, each recorded and told to the feed in its own transaction, while no process of auth runs.
 * After an interruption, another run continues.
 */
export async function endRevived(database: Database, act: Act): Promise<EndedAfterRestore> {
  await turnEpoch(database, act);
  await untilNone(() => database.run({ name: "revived-sessions", text: FORGET_SESSIONS, values: [] }));
  const consents = await untilNone(() => database.transaction((queries) => endConsents(queries, act)));
  const cardConsents = await untilNone(() =>
    database.transaction((queries) => endCardConsents(queries, act)),
  );
  // Orders whose consent ended before the backup had ended with it; orders without any consent may remain.
  await database.transaction((queries) => endSignings(queries, { of: "everyone" }, act));
  return { consents, cardConsents };
}

async function untilNone(batch: () => Promise<readonly unknown[]>): Promise<number> {
  let count = 0;
  for (let rows = await batch(); rows.length > 0; rows = await batch()) count += rows.length;
  return count;
}

/** Starts a new epoch of Redis, whose sessions and limits are unknown to the backup. */
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
