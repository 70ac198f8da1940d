/**
 * Deletion of records that are over: here those that are kept for years because somebody may ask about them (ended consents,
 * decided signing requests, deleted applications, released blocks, passkeys of blocked PSUs), and what counts for an hour or a
 * day; in `clean-expired` those that nobody finds once they have expired. This folder owns when they are deleted. It does not own
 * the audit log, which is archived.
 */
import { type Database, runEach, type Statement } from "@cobs/service-edge";

/** Rows of each kind deleted at once. */
const FORGETTING_BATCH_ROWS = 500;

/**
 * Builds the deletion of rows that ended `$1` days ago; `SKIP LOCKED` lets any number of processes run it. The array is computed
 * once: with `IN`, a plan made while the table was empty would search as many rows again for each row.
 */
const forget = (table: string, endedAt: string, also = "true") => ({
  name: `record-forget-${table.replaceAll("_", "-")}`,
  text: `DELETE FROM ${table} WHERE id = ANY (ARRAY(
    SELECT id FROM ${table} WHERE ${endedAt} < now() - make_interval(days => $1) AND ${also}
    ORDER BY ${endedAt} LIMIT ${FORGETTING_BATCH_ROWS} FOR UPDATE SKIP LOCKED)) RETURNING id`,
});

// The last use is deleted in the same statement as its consent, because their reference is checked at the end of the statement.
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
 * Deletes passkeys of blocked PSUs, because a PSU who has left the bank does not remove them: they go when the block is as old as
 * other deleted records. Each block is handled once, because most blocks stay for ever.
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
 * Deletes standings that no longer count: no code in the last day, and no wrong element since the last correct one. Wrong
 * elements count for `$1` days, so that a PSU who never comes back is not kept for ever.
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

/** True when no kept record refers to the application. */
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
  // After the records that refer to applications.
  forget("application", "deleted_at", HAS_LEFT_NOTHING),
];

/** One row per day; a month is enough. */
const CHECKS: Statement = {
  name: "record-forget-tpp-register-check",
  text: `DELETE FROM tpp_register_check WHERE day < current_date - 31 RETURNING day`,
  values: [],
};

/** Deletes notices that are over and count towards no limit. */
const NOTICES: Statement = {
  name: "record-forget-psu-notice",
  text: `DELETE FROM psu_notice WHERE id = ANY (ARRAY(
    SELECT id FROM psu_notice WHERE next_try_at IS NULL AND occurred_at < now() - interval '1 hour'
    ORDER BY occurred_at LIMIT ${FORGETTING_BATCH_ROWS} FOR UPDATE SKIP LOCKED)) RETURNING id`,
  values: [],
};

/** Deletes one batch of each kind that ended `days` ago; true when there are probably more. */
export async function forgetRecords(database: Database, days: number): Promise<boolean> {
  const statements = [...STATEMENTS.map((each) => ({ ...each, values: [days] })), CHECKS, NOTICES];
  const rows = await runEach(database, statements, FORGETTING_BATCH_ROWS);
  return rows.some((count) => count >= FORGETTING_BATCH_ROWS);
}
