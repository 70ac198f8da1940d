/**
 * The sandbox bank: a small double-entry ledger in PostgreSQL that stands in for a core system. It owns reading the ledger.
 * `seed-sandbox-bank-postgres.ts` fills it, `post-booking-postgres.ts` books, and `sandbox-orders` executes payment orders.
 * `migrations/0001_sandbox-bank.sql` and `0003_ledger.sql` explain the tables.
 */
import type { Queries } from "@cobs/service-edge";
import type { AccountBank, Bank } from "./bank.ts";
import { openAccountLists } from "./sandbox-accounts-postgres.ts";
import { currenciesOf, openBalances } from "./sandbox-balances-postgres.ts";
import type { OrderDatabase } from "./sandbox-orders/accept-order-postgres.ts";
import { openSandboxOrders } from "./sandbox-orders/sandbox-orders-postgres.ts";
import { listTransactions } from "./sandbox-transactions-postgres.ts";

/**
 * Opens the sandbox bank on a migrated database. `settlementSeconds` is how long after acceptance a payment of today may be
 * booked; `startSettlingOrders` books it.
 */
export function openSandboxBank(database: OrderDatabase, settlementSeconds?: number): Bank {
  return { ...openSandboxAccounts(database), ...openSandboxOrders(database, settlementSeconds) };
}

/** Opens only the half that reads accounts. */
export function openSandboxAccounts(database: Queries): AccountBank {
  return {
    ...openAccountLists(database),
    currenciesOf: (of) => currenciesOf(database, of),
    balancesOf: openBalances(database),
    listTransactions: (request) => listTransactions(database, request),
  };
}
