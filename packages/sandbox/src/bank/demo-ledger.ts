import type { AccountId } from "@cobs/cobs-model";
import type { Booking } from "@cobs/resource";
import type { OpenedLedger } from "./open-accounts.ts";
import { RESERVES } from "./reserves.ts";

/** Balances of PSUs while bookings are made; the bank's own accounts have no limit. */
export type DemoLedger = {
  /** Whether the ledger account can pay an amount. */
  covers(account: AccountId, amount: bigint): boolean;
  /** Moves the money of bookings that belong together. Gives false, and moves nothing, if the first one is not covered. */
  book(bookings: readonly Booking[]): boolean;
};

/** Opens an empty ledger. */
export function openDemoLedger(opened: readonly OpenedLedger[]): DemoLedger {
  const limits = new Map(opened.map(({ ledger, plan }) => [ledger, limitOf(plan)]));
  const balances = new Map<AccountId, bigint>();
  const balanceOf = (account: AccountId) => balances.get(account) ?? 0n;
  const covers = (account: AccountId, amount: bigint) => {
    const limit = limits.get(account);
    return limit === undefined || balanceOf(account) - amount >= limit;
  };
  return {
    covers,
    book: (bookings) => {
      const [first] = bookings;
      if (first === undefined || !covers(first.debit.account, first.amount)) return false;
      for (const { debit, credit, amount } of bookings) {
        balances.set(debit.account, balanceOf(debit.account) - amount);
        balances.set(credit.account, balanceOf(credit.account) + amount);
      }
      return true;
    },
  };
}

/** Balance below which the history does not go, in minor units. */
function limitOf({ currency, overdraft = 0 }: OpenedLedger["plan"]): bigint {
  return BigInt(RESERVES[currency] - overdraft) * 100n;
}
