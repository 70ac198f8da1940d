import type { Queries } from "@cobs/service-edge";
import { BookingRefusal } from "./booking-refusal.ts";
import { AVAILABLE, lockLedgers } from "./lock-ledgers-postgres.ts";
import type { PendingItem } from "./sandbox-bank-content.ts";

/**
 * Blocks or announces an amount from now on; an amount to be debited is no longer available. Runs in a transaction under the
 * rules of `postBooking`. Refuses with `ledger_unknown`, `pending_known` or `funds_insufficient`.
 */
export async function addPending(queries: Queries, item: Omit<PendingItem, "blockedAt">): Promise<void> {
  const { account, currency, id, valueDate, amount, code, details } = item;
  await lockLedgers(queries, [account], currency);
  const content = details === null ? null : JSON.stringify(details);
  const values = [account, id, valueDate, String(amount), currency, code, content];
  const [added] = await queries.run<AddedRow>({ ...ADD, values });
  if (added === undefined || added.is_known) throw new BookingRefusal("pending_known");
  if (!added.is_covered) throw new BookingRefusal("funds_insufficient");
}

type AddedRow = { readonly is_known: boolean; readonly is_covered: boolean };

const ADD = {
  name: "sandbox-add-pending",
  text: `WITH permitted AS (
      SELECT EXISTS (SELECT FROM sandbox_pending WHERE ledger_id = $1::text AND pending_id = $2::text) AS is_known,
        coalesce($4::bigint > 0 OR ${AVAILABLE} >= -$4::bigint, true) AS is_covered
    ), added AS (
      INSERT INTO sandbox_pending (ledger_id, pending_id, blocked_at, value_date, amount, currency, transaction_code,
        details)
      SELECT $1::text, $2::text, now(), $3::date, $4::bigint, $5::text, $6::text, $7::jsonb
      FROM permitted WHERE is_covered AND NOT is_known
    )
    SELECT is_known, is_covered FROM permitted`,
};
