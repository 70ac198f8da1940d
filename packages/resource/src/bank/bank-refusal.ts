import type { Sort, TransactionSortField } from "@cobs/cobs-model";

/** More transactions than this are told in the order of booking alone: any other order reads all of them. */
export const MAX_SORTED_TRANSACTIONS = 10_000;

/** Whether transactions in this order are told however many they are. */
export function isOrderOfBooking(sort: readonly Sort<TransactionSortField>[]): boolean {
  return sort.every(({ field }) => field === "bookingDate");
}

/**
 * Why a bank does not answer about an account:
 * - `account_unknown`: the PSU has no such account at this moment, whether or not anybody else has
 * - `currency_unknown`: the account is not kept in that currency (COBS AC09, A-43)
 * - `sort_too_large`: more than `MAX_SORTED_TRANSACTIONS`, in an order other than that of booking
 */
export type BankRefusalCode = "account_unknown" | "currency_unknown" | "sort_too_large";

/** An expected no of a bank. */
export class BankRefusal extends Error {
  readonly code: BankRefusalCode;

  constructor(code: BankRefusalCode) {
    super(code);
    this.name = "BankRefusal";
    this.code = code;
  }
}
