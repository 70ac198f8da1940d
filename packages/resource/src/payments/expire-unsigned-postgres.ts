import { type Database, isDatabaseUnavailable } from "@cobs/service-edge";
import { lockPayment, makeMove } from "./move-payment-postgres.ts";
import type { PaymentId } from "./payment-ids.ts";
import type { ExpiredBatch, OverduePlace, PaymentAct } from "./payment-store.ts";

interface OverdueRow {
  readonly payment_id: PaymentId;
  readonly expires_at: Date;
}

/** Writes the end of payments that nobody has approved in time: each for itself, so that none keeps another from its end. */
export async function expireUnsigned(
  database: Database,
  { limit, after }: { readonly limit: number; readonly after: OverduePlace | undefined },
  by: PaymentAct,
): Promise<ExpiredBatch> {
  const values = [by.now, limit, after?.expiresAt ?? "-infinity", after?.paymentId ?? ""];
  const rows = await database.run<OverdueRow>({ ...OVERDUE, values });
  const [ended, failures]: [PaymentId[], unknown[]] = [[], []];
  for (const { payment_id: id } of rows) {
    try {
      if (await expire(database, id, by)) ended.push(id);
    } catch (error) {
      failures.push(error);
      if (isDatabaseUnavailable(error)) return { ended, failures, last: undefined };
    }
  }
  return { ended, failures, last: rows.length < limit ? undefined : placeOf(rows.at(-1)) };
}

function placeOf(row: OverdueRow | undefined): OverduePlace | undefined {
  return row && { expiresAt: row.expires_at, paymentId: row.payment_id };
}

const OVERDUE = {
  name: "payment-overdue",
  text: `SELECT payment_id, expires_at FROM payment
    WHERE state = 'entered' AND signing_state <> 'asked' AND expires_at <= least($1, now())
      AND (expires_at, payment_id) > ($3::timestamptz, $4)
    ORDER BY expires_at, payment_id LIMIT $2`,
};

/** False when somebody else has ended it meanwhile, or it waits no more. */
function expire(database: Database, id: PaymentId, by: PaymentAct): Promise<boolean> {
  return database.transaction(async (queries) => {
    const row = await lockPayment(queries, id);
    if (row === undefined) return false;
    return "state" in (await makeMove(queries, { row, move: { move: "expire", now: by.now } }, by));
  });
}
