import type { Database, Queries } from "@cobs/service-edge";
import { BookingRefusal } from "../booking-refusal.ts";
import type { OrderOutcome, OrderRejection, OrderToExecute } from "../orders.ts";
import { addPending } from "../pending-items-postgres.ts";
import type { NewBooking } from "../post-booking-postgres.ts";
import { provesApproval } from "../proves-approval.ts";
import { findAccountByIban, findAccountOfPsu, isOfThisBank } from "./find-accounts-postgres.ts";
import { keepBookings } from "./kept-bookings.ts";
import { OrderRejected, rejectionOf } from "./order-rejected.ts";
import { planOrder } from "./plan-order.ts";
import type { SandboxAccount } from "./sandbox-account.ts";

/** A database that can run several statements as one transaction. */
export type OrderDatabase = Pick<Database, "run" | "transaction">;

/**
 * Implements {@link OrderBank.acceptOrder}. One transaction writes the order's row, unique by payment id, and blocks its
 * amounts. An order that cannot be taken is kept as rejected in a second transaction, so that it stays rejected.
 */
export async function acceptOrder(
  database: OrderDatabase,
  order: OrderToExecute,
  settlementSeconds: number,
): Promise<OrderOutcome> {
  const known = await findOrder(database, order);
  if (known !== undefined) return known;
  try {
    return await database.transaction((queries) => take(queries, order, settlementSeconds));
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    await database.run({ ...REJECT, values: [...valuesOf(order), reason] });
    return requireOrder(database, order);
  }
}

async function take(
  queries: Queries,
  order: OrderToExecute,
  settlementSeconds: number,
): Promise<OrderOutcome> {
  // An order that was altered on its way here is not what the PSU approved.
  if (!provesApproval(order)) throw new OrderRejected("digest_mismatch");
  const { debtor, creditor } = await findSides(queries, order);
  const bookings = planOrder({ ...order, debtor, creditor });
  const values = [...valuesOf(order), creditor?.id ?? null, keepBookings(bookings), settlementSeconds];
  const inserted = await queries.run({ ...ACCEPT, values });
  if (inserted.length === 0) return requireOrder(queries, order);
  for (const booking of bookings) if (booking.settles !== undefined) await block(queries, booking);
  return { outcome: "accepted" };
}

async function findSides(queries: Queries, { psu, account, order }: OrderToExecute) {
  const debtor = await findAccountOfPsu(queries, psu, account);
  if (debtor === undefined || debtor.iban !== order.debtorAccount.iban)
    throw new OrderRejected("account_unknown");
  if (debtor.isClosed || !debtor.isPaymentAccount) throw new OrderRejected("account_closed");
  const creditor = await findCreditor(queries, order);
  if (creditor?.id === debtor.id) throw new OrderRejected("creditor_closed");
  return { debtor, creditor };
}

/** Finds the payee's account if this bank keeps it; another bank checks its own. */
async function findCreditor(
  queries: Queries,
  { creditorAccount }: OrderToExecute["order"],
): Promise<SandboxAccount | undefined> {
  if (!("iban" in creditorAccount) || !isOfThisBank(creditorAccount.iban)) return undefined;
  const creditor = await findAccountByIban(queries, { iban: creditorAccount.iban });
  if (creditor === undefined || creditor.isClosed) throw new OrderRejected("creditor_closed");
  return creditor;
}

async function block(
  queries: Queries,
  { id, debit, valueDate, amount, currency }: NewBooking,
): Promise<void> {
  const { account, code, details = null } = debit;
  await addPending(queries, { account, id, valueDate, amount: -amount, currency, code, details });
}

/** Gives why an order is rejected. Any other error is not about the order; whether it arrived is then unknown. */
function reasonOf(error: unknown): OrderRejection | undefined {
  if (error instanceof OrderRejected) return error.reason;
  return error instanceof BookingRefusal ? rejectionOf(error) : undefined;
}

type OrderRow = { readonly digest: Buffer; readonly state: string; readonly reason: OrderRejection };

async function findOrder(queries: Queries, order: OrderToExecute): Promise<OrderOutcome | undefined> {
  const [row] = await queries.run<OrderRow>({ ...FIND, values: [order.paymentId] });
  if (row === undefined) return undefined;
  if (!row.digest.equals(order.digest)) return { outcome: "rejected", reason: "digest_mismatch" };
  return row.state === "rejected" ? { outcome: "rejected", reason: row.reason } : { outcome: "accepted" };
}

async function requireOrder(queries: Queries, order: OrderToExecute): Promise<OrderOutcome> {
  const known = await findOrder(queries, order);
  if (known === undefined) throw new TypeError("an order has gone that was there");
  return known;
}

function valuesOf({ paymentId, digest, approvalId, account, executionDate }: OrderToExecute) {
  return [paymentId, digest, approvalId, account, executionDate];
}

const FIND = {
  name: "sandbox-find-order",
  text: "SELECT digest, state, reason FROM sandbox_order WHERE payment_id = $1",
};

// Due at the start of a later day, or today after a pause, as banks settle some time after they accept.
const ACCEPT = {
  name: "sandbox-accept-order",
  text: `INSERT INTO sandbox_order (payment_id, digest, approval_id, account_id, execution_date, creditor_id, bookings,
      state, due_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, 'accepted',
      greatest(now() + make_interval(secs => $8::float8), $5::date::timestamp AT TIME ZONE 'Europe/Prague'))
    ON CONFLICT DO NOTHING RETURNING payment_id`,
};

const REJECT = {
  name: "sandbox-reject-order",
  text: `INSERT INTO sandbox_order (payment_id, digest, approval_id, account_id, execution_date, reason, state, due_at,
      settled_at)
    VALUES ($1, $2, $3, $4, $5, $6, 'rejected', now(), now()) ON CONFLICT DO NOTHING`,
};
