/**
 * Orders to pay in the sandbox bank. This folder owns an order from its arrival to its booking: what it comes to in the
 * currencies of both sides, what is blocked, what both sides read, and when it is booked. Who may order is decided before.
 *
 * An order is a row under its payment id (`migrations/0006_sandbox-orders.sql`). The row and what it blocks are one
 * transaction, and so are its bookings and its end: whatever breaks in between, money moved once or not at all.
 */
import type { OrderBank } from "../orders.ts";
import { acceptOrder, type OrderDatabase } from "./accept-order-postgres.ts";
import { findAccountsIn } from "./find-accounts-postgres.ts";
import { hasFunds } from "./has-funds-postgres.ts";
import { inspectOrder } from "./inspect-order-postgres.ts";
import { progressOf } from "./order-progress-postgres.ts";
import { SANDBOX_TERMS } from "./sandbox-terms.ts";
import { settleOrder } from "./settle-orders-postgres.ts";

/** How long after it was accepted a payment of today is booked, in seconds; an instant one at once. */
const SETTLEMENT_SECONDS = 2;

/** Opens it on a database that is migrated; `startSettlingOrders` executes what is accepted here. */
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

/** It is accepted in any case: whatever goes wrong now, whoever settles the others settles this one too. */
async function settleAtOnce(database: OrderDatabase, paymentId: string): Promise<void> {
  await settleOrder(database, paymentId).catch(() => {});
}
