import { readPageRequest, readSort, type Sort } from "./list-parameters.ts";
import type { PageRequest } from "./page.ts";
import type { Fault } from "./refusal.ts";

/** Fields by which the list of accounts can be sorted (A-08; the standard leaves the list to the bank). */
export const ACCOUNT_SORT_FIELDS = ["id", "iban", "currency", "nameI18N"] as const;

/** A field by which the list of accounts can be sorted. */
export type AccountSortField = (typeof ACCOUNT_SORT_FIELDS)[number];

/** A TPP's query of `GET /my/accounts`; `sort` is empty if it leaves the order to the bank. */
export type AccountListQuery = PageRequest & { readonly sort: readonly Sort<AccountSortField>[] };

/** A query as far as it could be read, and all its faults; a query with a fault must not be answered. */
export type ReadAccountListQuery = { readonly query: AccountListQuery; readonly faults: readonly Fault[] };

/**
 * Reads the query of `GET /my/accounts` (COBS 3.1.3, 1.2.8.2, 1.2.8.4; unknown parameters are ignored) with all faults, each
 * PARAMETER_INVALID at the name of its parameter.
 */
export function readAccountListQuery(query: URLSearchParams): ReadAccountListQuery {
  const faults: Fault[] = [];
  const { page, size } = readPageRequest(query, faults);
  const sort = readSort(query, ACCOUNT_SORT_FIELDS, faults);
  return { query: { page, size, sort }, faults };
}
