/**
 * The sandbox bank: a small double-entry ledger in PostgreSQL that stands in for a core system. It owns reading the
 * ledger; `seed-sandbox-bank-postgres.ts` fills it, `post-booking-postgres.ts` books, `sandbox-orders` executes orders to
 * pay, and `migrations/0001_sandbox-bank.sql` and `0003_ledger.sql` explain the tables.
 */
import { readStoredTransaction } from "@cobs/cobs-model";
import type { Queries } from "@cobs/service-edge";
import type { AccountBank, Bank } from "./bank.ts";
import { openAccountLists } from "./sandbox-accounts-postgres.ts";
import { currenciesOf, openBalances } from "./sandbox-balances-postgres.ts";
import type { OrderDatabase } from "./sandbox-orders/accept-order-postgres.ts";
import { openSandboxOrders } from "./sandbox-orders/sandbox-orders-postgres.ts";
import { listStoredTransactions } from "./sandbox-transactions-postgres.ts";

/**
 * Opens the sandbox bank on a database that is migrated. So many seconds after it was accepted a payment of today may be
 * booked, which `startSettlingOrders` does.
 */
export function openSandboxBank(database: OrderDatabase, settlementSeconds?: number): Bank {
  return { ...openSandboxAccounts(database), ...openSandboxOrders(database, settlementSeconds) };
}

/** The half of it that only reads. */
export function openSandboxAccounts(database: Queries): AccountBank {
  return {
    ...openAccountLists(database),
    currenciesOf: (of) => currenciesOf(database, of),
    balancesOf: openBalances(database),
    listTransactions: async (request) => {
      const { entries, totalCount } = await listStoredTransactions(database, request);
      return { entries: entries.map(readStoredTransaction), totalCount };
    },
    listStoredTransactions: (request) => listStoredTransactions(database, request),
  };
}
