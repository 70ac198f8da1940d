import type { AccountId } from "@cobs/cobs-model";
import type { Queries } from "@cobs/service-edge";
import { BookingRefusal } from "../booking-refusal.ts";
import { lockEveryLedger } from "../lock-ledgers-postgres.ts";
import type { OrderRejection } from "../orders.ts";
import { type NewBooking, postBooking } from "../post-booking-postgres.ts";
import type { OrderDatabase } from "./accept-order-postgres.ts";
import { type KeptBooking, takeBookings } from "./kept-bookings.ts";
import { rejectionOf } from "./order-rejected.ts";
import { ensureOwnAccounts } from "./own-accounts-postgres.ts";

type DueOrder = {
  readonly payment_id: string;
  readonly bookings: readonly KeptBooking[];
  /** Current bank-local day. */
  readonly today: string;
  readonly debtor_closed: boolean;
  readonly creditor_closed: boolean;
};

/** The payment ids of accepted orders that are due, the longest waiting first. */
export async function findDueOrders(queries: Queries, limit: number): Promise<readonly string[]> {
  const rows = await queries.run<{ payment_id: string }>({ ...DUE, values: [limit] });
  return rows.map(({ payment_id }) => payment_id);
}

const DUE = {
  name: "sandbox-due-orders",
  text: `SELECT payment_id FROM sandbox_order WHERE state = 'accepted' AND due_at <= now() ORDER BY due_at LIMIT $1`,
};

/**
 * Executes a due order, all of its bookings or none, or rejects it and releases what was blocked; once, from any number of
 * processes. Does nothing if the order is not due, already settled, or being settled elsewhere.
 */
export async function settleOrder(database: OrderDatabase, paymentId: string): Promise<void> {
  try {
    await database.transaction((queries) => execute(queries, paymentId));
  } catch (error) {
    if (!(error instanceof BookingRefusal)) throw error;
    await database.transaction((queries) => rejectDue(queries, paymentId, rejectionOf(error)));
  }
}

async function execute(queries: Queries, paymentId: string): Promise<void> {
  const [order] = await queries.run<DueOrder>({ ...TAKE, values: [paymentId] });
  if (order === undefined) return;
  if (order.debtor_closed) return reject(queries, order, "account_closed");
  if (order.creditor_closed) return reject(queries, order, "creditor_closed");
  const bookings = takeBookings(order.bookings).map((booking) => valuedBy(booking, order));
  await ensureOwnAccounts(queries, bookings);
  await lockEveryLedger(queries, ledgersOf(order));
  for (const booking of bookings) await postBooking(queries, booking);
  await queries.run({ ...END, values: [paymentId, "completed", null] });
}

/** Moves a past value date to today: nothing is valued before the day on which it is debited (PSD2 Article 87(3)). */
function valuedBy(booking: NewBooking, { today }: Pick<DueOrder, "today">): NewBooking {
  return booking.valueDate < today ? { ...booking, valueDate: today } : booking;
}

async function rejectDue(queries: Queries, paymentId: string, reason: OrderRejection): Promise<void> {
  const [order] = await queries.run<DueOrder>({ ...TAKE, values: [paymentId] });
  if (order !== undefined) await reject(queries, order, reason);
}

async function reject(queries: Queries, order: DueOrder, reason: OrderRejection): Promise<void> {
  await lockEveryLedger(queries, ledgersOf(order));
  const blocked = order.bookings.flatMap(({ settles }) => settles ?? []);
  await queries.run({ ...RELEASE, values: [ledgersOf(order), blocked] });
  await queries.run({ ...END, values: [order.payment_id, "rejected", reason] });
}

function ledgersOf({ bookings }: DueOrder): readonly AccountId[] {
  return bookings.flatMap(({ debit, credit }) => [debit.account, credit.account]);
}

// Locks the order's row before any ledger, as on acceptance.
const TAKE = {
  name: "sandbox-take-due-order",
  text: `SELECT payment_id, bookings, (now() AT TIME ZONE 'Europe/Prague')::date::text AS today,
      debtor.closed_at IS NOT NULL AS debtor_closed,
      creditor.closed_at IS NOT NULL AS creditor_closed
    FROM sandbox_order AS due
    JOIN sandbox_account AS debtor ON debtor.account_id = due.account_id
    LEFT JOIN sandbox_account AS creditor ON creditor.account_id = due.creditor_id
    WHERE payment_id = $1 AND state = 'accepted' AND due_at <= now()
    FOR UPDATE OF due SKIP LOCKED`,
};

const RELEASE = {
  name: "sandbox-release-order",
  text: "DELETE FROM sandbox_pending WHERE ledger_id = ANY ($1::text[]) AND pending_id = ANY ($2::text[])",
};

const END = {
  name: "sandbox-end-order",
  text: "UPDATE sandbox_order SET state = $2, reason = $3, settled_at = now() WHERE payment_id = $1",
};
