/**
 * What is over, and is kept for years because somebody may ask about it: ended consents, decided signing requests, deleted
 * applications, released blocks, passkeys of PSUs who are blocked; and what counts for an hour or a day. This folder owns when
 * that is deleted. It does not own the audit, which is archived.
 */
import { type Database, runEach, type Statement } from "@cobs/service-edge";

/** So many rows of each kind go at once. */
const FORGETTING_BATCH_ROWS = 500;

/**
 * Rows of a table whose time was over before; `SKIP LOCKED` lets any number of processes do it. As an array they are looked for
 * once: `IN` would, in a plan of when the table was empty, look for as many again at each row.
 */
const forget = (table: string, endedAt: string, also = "true") => ({
  name: `record-forget-${table.replaceAll("_", "-")}`,
  text: `DELETE FROM ${table} WHERE id = ANY (ARRAY(
    SELECT id FROM ${table} WHERE ${endedAt} < now() - make_interval(days => $1) AND ${also}
    ORDER BY ${endedAt} LIMIT ${FORGETTING_BATCH_ROWS} FOR UPDATE SKIP LOCKED)) RETURNING id`,
});

// The last use goes with its consent, in one statement, at whose end the reference between them is checked.
const CONSENTS = {
  name: "record-forget-consent",
  text: `WITH forgotten AS (
      SELECT id FROM consent WHERE ended_at < now() - make_interval(days => $1)
      ORDER BY ended_at LIMIT ${FORGETTING_BATCH_ROWS} FOR UPDATE SKIP LOCKED
    ), uses AS (
      DELETE FROM consent_use WHERE consent_id IN (SELECT id FROM forgotten)
    )
    DELETE FROM consent WHERE id IN (SELECT id FROM forgotten) RETURNING id`,
};

/**
 * A PSU who has left the bank removes none of theirs: they go when the block is as old as what has ended with it. Each block is
 * looked at once: most of them stay for ever.
 */
const PASSKEYS = {
  name: "record-forget-passkey",
  text: `WITH due AS (
      SELECT id, psu_id FROM psu_block
      WHERE released_at IS NULL AND keeps_passkeys AND blocked_at < now() - make_interval(days => $1)
      ORDER BY blocked_at LIMIT ${FORGETTING_BATCH_ROWS} FOR UPDATE SKIP LOCKED
    ), forgotten AS (
      DELETE FROM passkey USING due WHERE passkey.psu_id = due.psu_id
    )
    UPDATE psu_block SET keeps_passkeys = false FROM due WHERE psu_block.id = due.id RETURNING due.id`,
};

/**
 * Standings that count nothing any more: no code of the last day, no wrong one since the last right one. Wrong ones count as
 * long as a record is kept: a PSU who never comes back is not kept for ever.
 */
const STANDINGS = {
  name: "record-forget-signing-standing",
  text: `DELETE FROM signing_standing WHERE psu_id = ANY (ARRAY(
    SELECT psu_id FROM signing_standing
    WHERE (codes_since IS NULL OR codes_since < now() - interval '1 day')
      AND (failures = 0 OR changed_at < now() - make_interval(days => $1))
      AND (held_off_until IS NULL OR held_off_until < now() - interval '1 day')
    LIMIT ${FORGETTING_BATCH_ROWS} FOR UPDATE SKIP LOCKED)) RETURNING psu_id`,
};

/** Nothing that is still kept hangs on it. */
const HAS_LEFT_NOTHING = `NOT EXISTS (SELECT FROM consent WHERE consent.application_id = application.id)
  AND NOT EXISTS (SELECT FROM signing_request WHERE signing_request.application_id = application.id)`;

const STATEMENTS: readonly Pick<Statement, "name" | "text">[] = [
  forget("signing_request", "decided_at", "state <> 'waiting'"),
  CONSENTS,
  forget("card_consent", "ended_at"),
  forget("psu_block", "released_at"),
  PASSKEYS,
  STANDINGS,
  forget("stop_list_block", "released_at"),
  // After what hangs on them.
  forget("application", "deleted_at", HAS_LEFT_NOTHING),
];

/** Of these a day is a row; a month tells enough. */
const CHECKS: Statement = {
  name: "record-forget-tpp-register-check",
  text: `DELETE FROM tpp_register_check WHERE day < current_date - 31 RETURNING day`,
  values: [],
};

/** Notices that are over, and count against no limit any more. */
const NOTICES: Statement = {
  name: "record-forget-psu-notice",
  text: `DELETE FROM psu_notice WHERE id = ANY (ARRAY(
    SELECT id FROM psu_notice WHERE next_try_at IS NULL AND occurred_at < now() - interval '1 hour'
    ORDER BY occurred_at LIMIT ${FORGETTING_BATCH_ROWS} FOR UPDATE SKIP LOCKED)) RETURNING id`,
  values: [],
};

/** Deletes one batch of each kind that was over `days` ago; true when there are probably more. */
export async function forgetRecords(database: Database, days: number): Promise<boolean> {
  const statements = [...STATEMENTS.map((each) => ({ ...each, values: [days] })), CHECKS, NOTICES];
  const rows = await runEach(database, statements, FORGETTING_BATCH_ROWS);
  return rows.some((count) => count >= FORGETTING_BATCH_ROWS);
}
