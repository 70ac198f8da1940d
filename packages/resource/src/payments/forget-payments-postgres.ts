import { type Queries, runEach } from "@cobs/service-edge";
import type { Forgetting } from "./payment-store.ts";

/** Deletes finished payments with their records, and old idempotency keys; skips what another caller is deleting. */
export async function forgetOld(
  queries: Queries,
  { finishedMilliseconds, keysMilliseconds, limit }: Forgetting,
): Promise<number> {
  const payments = { ...FORGET_PAYMENTS, values: [finishedMilliseconds, limit] };
  const keys = { ...FORGET_KEYS, values: [keysMilliseconds, limit] };
  return Math.max(...(await runEach(queries, [payments, keys], limit)));
}

const AGO = "now() - $1 * interval '1 millisecond'";

const FORGET_PAYMENTS = {
  name: "payment-forget",
  text: `WITH forgotten AS (
      DELETE FROM payment WHERE payment_id = ANY (ARRAY(
        SELECT payment_id FROM payment
        WHERE state IN ('completed', 'rejected', 'expired', 'deleted') AND moved_at < ${AGO}
        ORDER BY moved_at LIMIT $2 FOR UPDATE SKIP LOCKED))
      RETURNING payment_id
    ), told AS (
      DELETE FROM payment_move WHERE payment_id IN (SELECT payment_id FROM forgotten)
    )
    SELECT payment_id FROM forgotten`,
};

const FORGET_KEYS = {
  name: "payment-forget-keys",
  text: `DELETE FROM idempotency_key WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM idempotency_key WHERE created_at < ${AGO}
      ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING key`,
};
