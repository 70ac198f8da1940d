import type { AccountId, CurrencyCode } from "@cobs/cobs-model";
import type { Queries } from "@cobs/service-edge";
import { BookingRefusal } from "./booking-refusal.ts";

/**
 * Locks accounts of the ledger until the transaction ends. Everything that changes one locks it first, and all at once
 * in the order of their ids, so that nobody waits in a circle, and statements after it see what others have done. Refuses
 * with `ledger_unknown` when one does not exist in that currency.
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

/** Locks accounts of several currencies before the first of several bookings in one transaction, in the same order. */
export async function lockEveryLedger(queries: Queries, accounts: readonly AccountId[]): Promise<void> {
  await queries.run({ ...LOCK_EVERY, values: [accounts] });
}

const LOCK_EVERY = {
  name: "sandbox-lock-every-ledger",
  text: `SELECT account_id FROM sandbox_ledger WHERE account_id = ANY ($1::text[])
    ORDER BY account_id FOR NO KEY UPDATE`,
};

/** What the debited account `$1` can still pay, as an expression; null is no limit. */
export const AVAILABLE = `(SELECT balance + overdraft_limit + (SELECT coalesce(sum(amount), 0) FROM sandbox_pending
    WHERE ledger_id = $1::text AND amount < 0)
  FROM sandbox_ledger WHERE account_id = $1::text)`;
