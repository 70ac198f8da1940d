/**
 * Payment orders in the sandbox bank. This folder owns an order from its arrival to its booking: its amounts in the currencies
 * of both sides, what is blocked, what both sides read, and when it is booked. Who may order is decided before.
 *
 * An order is a row under its payment id (`migrations/0006_sandbox-orders.sql`). One transaction writes the row and blocks its
 * amounts; another makes its bookings and ends it. Whatever fails in between, money moves once or not at all.
 */
import type { OrderBank } from "../orders.ts";
import { acceptOrder, type OrderDatabase } from "./accept-order-postgres.ts";
import { findAccountsIn } from "./find-accounts-postgres.ts";
import { hasFunds } from "./has-funds-postgres.ts";
import { inspectOrder } from "./inspect-order-postgres.ts";
import { progressOf } from "./order-progress-postgres.ts";
import { SANDBOX_TERMS } from "./sandbox-terms.ts";
import { settleOrder } from "./settle-orders-postgres.ts";

/** Seconds from acceptance to booking of a payment of today; an instant one is booked at once. */
const SETTLEMENT_SECONDS = 2;

/** Opens the orders on a migrated database; `startSettlingOrders` executes what is accepted here. */
export function openSandboxOrders(
  database: OrderDatabase,
  settlementSeconds = SETTLEMENT_SECONDS,
): OrderBank {
  const find = findAccountsIn(database);
  return {
    terms: async () => SANDBOX_TERMS,
    inspectOrder: (wanted) => inspectOrder(find, wanted),
    acceptOrder: async (order) => {
      const isInstant = order.order.priority === "INST";
      const outcome = await acceptOrder(database, order, isInstant ? 0 : settlementSeconds);
      if (isInstant && outcome.outcome === "accepted") await settleAtOnce(database, order.paymentId);
      return outcome;
    },
    progressOf: (paymentId) => progressOf(database, paymentId),
    hasFunds: (question) => hasFunds(database, question),
  };
}

/** Tries to settle an accepted order now; if that fails, `startSettlingOrders` settles it like any other. */
async function settleAtOnce(database: OrderDatabase, paymentId: string): Promise<void> {
  await settleOrder(database, paymentId).catch(() => {});
}
