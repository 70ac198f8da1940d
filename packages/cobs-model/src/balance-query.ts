import type { CurrencyCode } from "./currency-code.ts";
import { readCurrency } from "./currency-query.ts";
import type { Fault } from "./refusal.ts";

/** A TPP's query of `GET /my/accounts/{id}/balance`; without `currency`, the balances in all currencies. */
export type BalanceQuery = { readonly currency: CurrencyCode | undefined };

/** A query as far as it could be read, and all its faults; a query with a fault must not be answered. */
export type ReadBalanceQuery = { readonly query: BalanceQuery; readonly faults: readonly Fault[] };

/**
 * Reads the query of `GET /my/accounts/{id}/balance` (COBS 3.1.4; unknown parameters are ignored) with all faults: AC09 for a
 * value that is not a currency, PARAMETER_INVALID for a repeated one. Whether the account is kept in the currency is not yet
 * verified.
 */
export function readBalanceQuery(query: URLSearchParams): ReadBalanceQuery {
  const faults: Fault[] = [];
  const currency = readCurrency(query, faults);
  return { query: { currency }, faults };
}
