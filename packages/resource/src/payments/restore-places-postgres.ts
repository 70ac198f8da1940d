import { isDatabaseUnavailable, type Queries } from "@cobs/service-edge";
import { IS_INSTANT_SQL } from "./is-instant-sql.ts";
import { STATES_BEFORE_BANK } from "./payment.ts";
import type { PaymentId } from "./payment-ids.ts";
import { describeMove } from "./payment-record.ts";
import type { PaymentAct } from "./payment-store.ts";
import type { RestoredPlaces, UnendedCursor } from "./restored-places.ts";
import { addLines, parametersOfLine, valuesOfLine } from "./write-record-postgres.ts";

interface UnendedRow {
  readonly payment_id: PaymentId;
  readonly moved_at: string;
  /** Whether its place is due too late; null when it has no place. */
  readonly is_far: boolean | null;
}

/** Restores places before the bank as the store's contract says. */
export async function restorePlaces(
  queries: Queries,
  { limit, after }: { readonly limit: number; readonly after: UnendedCursor | undefined },
  act: PaymentAct,
): Promise<RestoredPlaces> {
  const values = [limit, after?.movedAt ?? "-infinity", after?.paymentId ?? ""];
  const rows = await queries.run<UnendedRow>({ ...LOOK, values });
  const failures: unknown[] = [];
  const change = async (statement: typeof LOOK, ids: readonly PaymentId[], also: readonly unknown[] = []) => {
    if (ids.length === 0 || failures.some(isDatabaseUnavailable)) return [];
    const run = queries.run<{ payment_id: PaymentId }>({ ...statement, values: [ids, ...also] });
    return run.catch((error: unknown) => {
      failures.push(error);
      return [];
    });
  };
  await change(HURRY, idsOf(rows, true));
  const line = [act.now, ...valuesOfLine(RESTORED, act)];
  const restored = (await change(RESTORE, idsOf(rows, null), line)).map(({ payment_id }) => payment_id);
  return { restored, failures, last: rows.length < limit ? undefined : cursorOf(rows.at(-1)) };
}

function idsOf(rows: readonly UnendedRow[], isFar: boolean | null): readonly PaymentId[] {
  return rows.filter((row) => row.is_far === isFar).map((row) => row.payment_id);
}

function cursorOf(row: UnendedRow | undefined): UnendedCursor | undefined {
  return row && { movedAt: row.moved_at, paymentId: row.payment_id };
}

// No caller holds or postpones a place for longer than a minute and a half, or looks at an accepted payment later than when its
// day begins at the bank: the database's clock was set back since, or its place was taken over by a machine whose clock is
// behind. A payment is handed over before its day too.
const IS_FAR = `place.due_at > now() + interval '10 minutes' AND (place.step = 'hand_over'
  OR place.due_at > (payment.execution_date::timestamp AT TIME ZONE 'UTC') + interval '1 hour')`;

const IS_BEFORE_BANK = `state IN (${STATES_BEFORE_BANK.map((state) => `'${state}'`).join(", ")})`;

// Very many payments may wait for their day: the number looked at in one statement is limited, whatever is found.
const LOOK = {
  name: "payment-look-at-places",
  text: `SELECT payment.payment_id, payment.moved_at::text, ${IS_FAR} AS is_far
    FROM (
      SELECT payment_id, moved_at, execution_date FROM payment
      WHERE ${IS_BEFORE_BANK} AND (moved_at, payment_id) > ($2::timestamptz, $3)
      ORDER BY moved_at, payment_id LIMIT $1
    ) AS payment LEFT JOIN payment_outbox AS place USING (payment_id)
    ORDER BY payment.moved_at, payment.payment_id`,
};

// Whoever may hold it has as long as any caller: its order may be on its way.
const HURRY = {
  name: "payment-hurry-places",
  text: `UPDATE payment_outbox AS place SET due_at = now() + interval '90 seconds' FROM payment
    WHERE place.payment_id = ANY ($1) AND payment.payment_id = place.payment_id AND ${IS_FAR}`,
};

const RESTORED = describeMove({ move: "restore_place", reason: "place_lost" });

// The lock reads the state again: a payment that another process has restored and ended meanwhile stays as it is. The place
// is marked as taken before, so that whoever takes it looks the payment up first.
const RESTORE = {
  name: "payment-restore-places",
  text: `WITH lost AS (
      SELECT payment_id, state, ${IS_INSTANT_SQL} AS is_instant FROM payment
      WHERE payment_id = ANY ($1) AND ${IS_BEFORE_BANK}
        AND NOT EXISTS (SELECT FROM payment_outbox AS place WHERE place.payment_id = payment.payment_id)
      ORDER BY payment_id FOR UPDATE SKIP LOCKED
    ), placed AS (
      INSERT INTO payment_outbox (payment_id, step, due_at, attempts, is_instant)
      SELECT payment_id, CASE state WHEN 'accepted' THEN 'settle' ELSE 'hand_over' END, now(), 1, is_instant FROM lost
      ON CONFLICT DO NOTHING RETURNING payment_id
    ), counted AS (
      UPDATE payment SET moves = moves + 1 WHERE payment_id IN (SELECT payment_id FROM placed)
      RETURNING payment_id, moves, state
    )
    ${addLines({ from: "counted", line: parametersOfLine(3), at: "$2", before: "state" })}
    RETURNING payment_id`,
};
