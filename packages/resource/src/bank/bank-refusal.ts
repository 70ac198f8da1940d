import type { Sort, TransactionSortField } from "@cobs/cobs-model";

/**
 * Largest list that is sorted in any order; a longer one comes in the order of booking only, because sorting reads all of it.
 */
export const MAX_SORTED_TRANSACTIONS = 10_000;

/** Whether an order is that of booking, in which a list may have any length. */
export function isOrderOfBooking(sort: readonly Sort<TransactionSortField>[]): boolean {
  return sort.every(({ field }) => field === "bookingDate");
}

/**
 * Why a bank does not answer about an account:
 * - `account_unknown`: the PSU has no such account at this moment, whether or not somebody else has it
 * - `currency_unknown`: the account is not kept in that currency (COBS AC09, A-43)
 * - `sort_too_large`: more than `MAX_SORTED_TRANSACTIONS`, in an order other than that of booking
 */
export type BankRefusalCode = "account_unknown" | "currency_unknown" | "sort_too_large";

/** A refusal that a bank is expected to give. */
export class BankRefusal extends Error {
  readonly code: BankRefusalCode;

  constructor(code: BankRefusalCode) {
    super(code);
    this.name = "BankRefusal";
    this.code = code;
  }
}
