import type { CurrencyCode } from "./currency-code.ts";
import type { Sort } from "./list-parameters.ts";
import type { PageRequest } from "./page.ts";

/** Fields by which transactions can be sorted (A-08; the standard leaves the list to the bank). */
export const TRANSACTION_SORT_FIELDS = ["bookingDate", "valueDate", "amount", "entryReference"] as const;

/** A field by which transactions can be sorted. */
export type TransactionSortField = (typeof TRANSACTION_SORT_FIELDS)[number];

/** What a TPP wants of `GET /my/accounts/{id}/transactions`; without `sort` the newest come first. */
export type TransactionListQuery = PageRequest & {
  /** The first instant that counts, and the first that does not any more; undefined where the TPP left it to the bank. */
  readonly from: Date | undefined;
  readonly before: Date | undefined;
  readonly currency: CurrencyCode | undefined;
  readonly sort: readonly Sort<TransactionSortField>[];
};
