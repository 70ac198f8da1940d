import { type Database, isDatabaseUnavailable, type Queries } from "@cobs/service-edge";
import { lockPayment, makeMove } from "./move-payment-postgres.ts";
import type { PaymentId } from "./payment-ids.ts";
import type { Forgetting, MadeMove, PaymentAct } from "./payment-store.ts";

/** Writes the end of payments that nobody has approved in time: each for itself, so that none keeps another from its end. */
export async function expireUnsigned(
  database: Database,
  limit: number,
  by: PaymentAct,
): Promise<readonly PaymentId[]> {
  const rows = await database.run<{ payment_id: PaymentId }>({ ...OVERDUE, values: [by.now, limit] });
  const [ended, failed]: [PaymentId[], unknown[]] = [[], []];
  for (const { payment_id: id } of rows) {
    try {
      if (await expire(database, id, by)) ended.push(id);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      failed.push(error);
    }
  }
  if (failed.length > 0) throw new AggregateError(failed, "some payments could not be ended");
  return ended;
}

const OVERDUE = {
  name: "payment-overdue",
  text: `SELECT payment_id FROM payment
    WHERE state = 'entered' AND signing_state <> 'asked' AND expires_at <= least($1, now())
    ORDER BY expires_at LIMIT $2`,
};

/** False when somebody else has ended it meanwhile, or it waits no more. */
function expire(database: Database, id: PaymentId, by: PaymentAct): Promise<boolean> {
  return database.transaction(async (queries) => {
    const row = await lockPayment(queries, id);
    if (row === undefined) return false;
    return "state" in (await makeMove(queries, { row, move: { move: "expire", now: by.now } }, by));
  });
}

/** Deletes finished payments with their records, and idempotency keys; what somebody else deletes is passed by. */
export async function forgetOld(
  queries: Queries,
  { finishedMilliseconds, keysMilliseconds, limit }: Forgetting,
): Promise<number> {
  const payments = await queries.run({ ...FORGET_PAYMENTS, values: [finishedMilliseconds, limit] });
  const keys = await queries.run({ ...FORGET_KEYS, values: [keysMilliseconds, limit] });
  return Math.max(payments.length, keys.length);
}

const AGO = "now() - $1 * interval '1 millisecond'";

const FORGET_PAYMENTS = {
  name: "payment-forget",
  text: `WITH forgotten AS (
      DELETE FROM payment WHERE payment_id IN (
        SELECT payment_id FROM payment
        WHERE state IN ('completed', 'rejected', 'expired', 'deleted') AND moved_at < ${AGO}
        ORDER BY moved_at LIMIT $2 FOR UPDATE SKIP LOCKED)
      RETURNING payment_id
    ), told AS (
      DELETE FROM payment_move WHERE payment_id IN (SELECT payment_id FROM forgotten)
    )
    SELECT payment_id FROM forgotten`,
};

const FORGET_KEYS = {
  name: "payment-forget-keys",
  text: `DELETE FROM idempotency_key WHERE (organisation_identifier, key) IN (
      SELECT organisation_identifier, key FROM idempotency_key WHERE created_at < ${AGO}
      ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING key`,
};

interface MoveRow {
  readonly number: number;
  readonly move: MadeMove["move"];
  readonly moved_at: Date;
  readonly moved_by: MadeMove["by"];
  readonly cause: string | null;
  readonly facts: MadeMove["facts"];
  readonly request_id: string | null;
  readonly state_before: MadeMove["after"] | null;
  readonly state_after: MadeMove["after"];
}

/** The record of a payment, the first move first. */
export async function movesOf(queries: Queries, id: PaymentId): Promise<readonly MadeMove[]> {
  const text = `SELECT number, move, moved_at, moved_by, cause, facts, request_id, state_before, state_after
    FROM payment_move WHERE payment_id = $1 ORDER BY number`;
  const rows = await queries.run<MoveRow>({ name: "payment-moves", text, values: [id] });
  return rows.map((row) => ({
    number: row.number,
    move: row.move,
    at: row.moved_at,
    by: row.moved_by,
    cause: row.cause ?? undefined,
    facts: row.facts,
    requestId: row.request_id ?? undefined,
    before: row.state_before ?? undefined,
    after: row.state_after,
  }));
}
