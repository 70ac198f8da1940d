import type { Queries } from "@cobs/service-edge";
import type { PaymentId } from "./payment-ids.ts";
import type { PaymentAct } from "./payment-store.ts";

/** Puts payments before the bank again as the contract of the store says. */
export async function restorePlaces(
  queries: Queries,
  limit: number,
  { now, requestId }: PaymentAct,
): Promise<readonly PaymentId[]> {
  await queries.run({ ...HURRY, values: [now] });
  const rows = await queries.run<{ payment_id: PaymentId }>({ ...RESTORE, values: [now, limit, requestId] });
  return rows.map(({ payment_id }) => payment_id);
}

// Nobody keeps a place for as long as an hour, or looks at a payment that was accepted later than on its day. A process whose
// own clock is ahead leaves its own places to the others.
const HURRY = {
  name: "payment-hurry-places",
  text: `UPDATE payment_outbox AS place SET due_at = now() FROM payment
    WHERE payment.payment_id = place.payment_id AND place.due_at > greatest(now(), $1) + interval '1 hour'
      AND place.due_at > (payment.execution_date::timestamp AT TIME ZONE 'UTC') + interval '1 hour'`,
};

// The lock reads the state again: one that another process has restored and ended meanwhile stays where it is. As a place
// that was taken before, so that whoever takes it looks the payment up first.
const RESTORE = {
  name: "payment-restore-places",
  text: `WITH lost AS (
      SELECT payment_id, state FROM payment
      WHERE state IN ('approved', 'handed_over', 'accepted')
        AND NOT EXISTS (SELECT FROM payment_outbox AS place WHERE place.payment_id = payment.payment_id)
      ORDER BY moved_at LIMIT $2 FOR UPDATE SKIP LOCKED
    ), placed AS (
      INSERT INTO payment_outbox (payment_id, step, due_at, attempts)
      SELECT payment_id, CASE state WHEN 'accepted' THEN 'settle' ELSE 'hand_over' END, $1, 1 FROM lost
      ON CONFLICT DO NOTHING RETURNING payment_id
    ), counted AS (
      UPDATE payment SET moves = moves + 1 WHERE payment_id IN (SELECT payment_id FROM placed)
      RETURNING payment_id, moves, state
    )
    INSERT INTO payment_move (payment_id, number, move, moved_at, moved_by, cause, facts, request_id, state_before,
      state_after)
    SELECT payment_id, moves, 'restore_place', $1, 'server', 'place_lost', '{}', $3, state, state FROM counted
    RETURNING payment_id`,
};
