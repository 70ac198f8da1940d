import type { CurrencyCode } from "./currency-code.ts";
import { readCurrency } from "./currency-query.ts";
import type { Fault } from "./refusal.ts";

/** What a TPP wants of `GET /my/accounts/{id}/balance`; without `currency` the balances in all of them. */
export type BalanceQuery = { readonly currency: CurrencyCode | undefined };

/** A query, as far as it can be read, and everything that is wrong with it; with a fault it must not be answered. */
export type ReadBalanceQuery = { readonly query: BalanceQuery; readonly faults: readonly Fault[] };

/**
 * Reads the query of `GET /my/accounts/{id}/balance` (COBS 3.1.4; unknown parameters are ignored) with all faults: AC09
 * for no currency, PARAMETER_INVALID for a repeated one. Whether the account is kept in it is not yet verified.
 */
export function readBalanceQuery(query: URLSearchParams): ReadBalanceQuery {
  const faults: Fault[] = [];
  const currency = readCurrency(query, faults);
  return { query: { currency }, faults };
}
