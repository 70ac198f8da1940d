import type { AccountId, CurrencyCode } from "@cobs/cobs-model";
import type { Queries } from "@cobs/service-edge";
import { BookingRefusal } from "./booking-refusal.ts";

/**
 * Locks ledger accounts until the transaction ends. Everything that changes a ledger account locks it first, and locks all
 * that it needs at once in the order of their ids. That rules out deadlocks, and later statements see what others have
 * committed. Refuses with `ledger_unknown` when an account does not exist in that currency.
 */
export async function lockLedgers(
  queries: Queries,
  accounts: readonly AccountId[],
  currency: CurrencyCode,
): Promise<void> {
  const locked = await queries.run({ ...LOCK, values: [accounts, currency] });
  if (locked.length < accounts.length) throw new BookingRefusal("ledger_unknown");
}

const LOCK = {
  name: "sandbox-lock-ledgers",
  text: `SELECT account_id FROM sandbox_ledger WHERE account_id = ANY ($1::text[]) AND currency = $2
    ORDER BY account_id FOR NO KEY UPDATE`,
};

/** Locks accounts in any currency, in the same order, before the first of several bookings of one transaction. */
export async function lockEveryLedger(queries: Queries, accounts: readonly AccountId[]): Promise<void> {
  await queries.run({ ...LOCK_EVERY, values: [accounts] });
}

const LOCK_EVERY = {
  name: "sandbox-lock-every-ledger",
  text: `SELECT account_id FROM sandbox_ledger WHERE account_id = ANY ($1::text[])
    ORDER BY account_id FOR NO KEY UPDATE`,
};

/** SQL expression: what the debited account `$1` can still pay; null means no limit. */
export const AVAILABLE = `(SELECT balance + overdraft_limit + (SELECT coalesce(sum(amount), 0) FROM sandbox_pending
    WHERE ledger_id = $1::text AND amount < 0)
  FROM sandbox_ledger WHERE account_id = $1::text)`;
