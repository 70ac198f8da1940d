import { type CurrencyCode, findCurrencyCode } from "./currency-code.ts";
import { readOnce } from "./list-parameters.ts";
import type { Fault } from "./refusal.ts";

/** What is wanted is no currency, or not one that the account is kept in (COBS AC09, A-41, A-43). */
export const CURRENCY_UNKNOWN: Fault = {
  code: "AC09",
  path: "currency",
  message: "currency is not a currency of the account",
};

/**
 * Reads `currency` of R2 and R3, adding AC09 for what is none (COBS 3.1.4, 3.1.5, A-41). Whether the account is kept in it
 * is not yet verified.
 */
export function readCurrency(query: URLSearchParams, faults: Fault[]): CurrencyCode | undefined {
  const text = readOnce(query, "currency", faults);
  const currency = findCurrencyCode(text);
  if (text !== undefined && currency === undefined) faults.push(CURRENCY_UNKNOWN);
  return currency;
}
