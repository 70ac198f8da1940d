import { type Database, isDatabaseUnavailable } from "@cobs/service-edge";
import { lockPayment, makeMove } from "./move-payment-postgres.ts";
import type { PaymentId } from "./payment-ids.ts";
import type { PaymentAct } from "./payment-store.ts";

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
