import type { Queries } from "@cobs/service-edge";
import { BookingRefusal } from "./booking-refusal.ts";
import { AVAILABLE, lockLedgers } from "./lock-ledgers-postgres.ts";
import type { Booking, Leg } from "./sandbox-bank-content.ts";

/** A booking to be made now. */
export type NewBooking = Omit<Booking, "bookedAt"> & {
  /** Id of a pending item of one of the accounts, which the booking removes. */
  readonly settles?: string;
};

/**
 * Books both legs at the same time, each with the next number of its account. Gives the time of booking: now, or later if the
 * last booking of an account is later. The caller's transaction must be READ COMMITTED and must lock ledgers only through
 * `lockLedgers`. Refuses with `ledger_unknown`, `pending_unknown`, `booking_known` or `funds_insufficient`.
 */
export async function postBooking(queries: Queries, booking: NewBooking): Promise<Date> {
  const { debit, credit, currency, settles } = booking;
  if (debit.account === credit.account) throw new TypeError("a booking has two accounts");
  await lockLedgers(queries, [debit.account, credit.account], currency);
  if (settles !== undefined) await settle(queries, booking, settles);
  const [posted] = await queries.run<PostedRow>(postStatement(booking));
  if (posted === undefined || posted.is_known) throw new BookingRefusal("booking_known");
  if (posted.booked_at === null) throw new BookingRefusal("funds_insufficient");
  return posted.booked_at;
}

async function settle(queries: Queries, { debit, credit }: NewBooking, pending: string): Promise<void> {
  const settled = await queries.run({ ...SETTLE, values: [[debit.account, credit.account], pending] });
  if (settled.length !== 1) throw new BookingRefusal("pending_unknown");
}

const SETTLE = {
  name: "sandbox-settle-pending",
  text: `DELETE FROM sandbox_pending WHERE ledger_id = ANY ($1::text[]) AND pending_id = $2 RETURNING pending_id`,
};

type PostedRow = { readonly is_known: boolean; readonly booked_at: Date | null };

function postStatement({ debit, credit, ...booking }: NewBooking) {
  const detailsOf = ({ details = booking.details }: Leg) =>
    details === null ? null : JSON.stringify(details);
  const { id, valueDate, amount, isReversal = false } = booking;
  return {
    ...POST,
    values: [
      ...[debit.account, debit.code, detailsOf(debit)],
      ...[credit.account, credit.code, detailsOf(credit)],
      ...[id, String(amount), valueDate, isReversal],
    ],
  };
}

const POST = {
  name: "sandbox-post-booking",
  text: `WITH leg (account_id, change, code, details) AS (
      VALUES ($1::text, -$8::bigint, $2::text, $3::jsonb), ($4::text, $8::bigint, $5::text, $6::jsonb)
    ), permitted AS (
      SELECT EXISTS (SELECT FROM sandbox_entry JOIN leg USING (account_id) WHERE booking_id = $7::text) AS is_known,
        coalesce(${AVAILABLE} >= $8::bigint, true) AS is_covered,
        (SELECT greatest(now(), max(last_booked_at)) FROM sandbox_ledger JOIN leg USING (account_id)) AS booked_at
    ), changed AS (
      UPDATE sandbox_ledger AS ledger
      SET balance = balance + change, last_seq = last_seq + 1, last_booked_at = booked_at
      FROM leg, permitted
      WHERE ledger.account_id = leg.account_id AND is_covered AND NOT is_known
      RETURNING ledger.*, change, code, details
    ), written AS (
      INSERT INTO sandbox_entry (account_id, seq, booking_id, booked_at, value_date, amount, currency, transaction_code,
        details, balance_after, is_reversal)
      SELECT account_id, last_seq, $7::text, last_booked_at, $9::date, change, currency, code, details, balance,
        $10::boolean
      FROM changed RETURNING booked_at
    )
    SELECT is_known, (SELECT max(booked_at) FROM written) AS booked_at FROM permitted`,
};
