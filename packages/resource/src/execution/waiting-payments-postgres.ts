import type { Queries } from "@cobs/service-edge";

/** Approved payments without an answer of the bank: how many, and how long the oldest has waited. */
export type WaitingPayments = { readonly count: number; readonly oldestSeconds: number };

/** Counts the waiting payments. */
export async function countWaitingPayments(queries: Queries): Promise<WaitingPayments> {
  const [row] = await queries.run<WaitingRow>({ ...WAITING, values: [] });
  return { count: row?.count ?? 0, oldestSeconds: row?.seconds ?? 0 };
}

type WaitingRow = { readonly count: number; readonly seconds: number };

const WAITING = {
  name: "payments-waiting",
  text: `SELECT count(*)::int AS count,
      greatest(coalesce(extract(epoch FROM now() - min(approved_at)), 0), 0)::float8 AS seconds
    FROM payment_outbox JOIN payment USING (payment_id) WHERE step = 'hand_over'`,
};
