import { type CurrencyCode, findCurrencyCode, NO_CURRENCY_CODE } from "./currency-code.ts";
import { readOnce } from "./list-parameters.ts";
import type { Fault } from "./refusal.ts";

/** The account is not kept in the requested currency (COBS AC09, A-43). */
export const CURRENCY_UNKNOWN: Fault = {
  code: "AC09",
  path: "currency",
  message: "currency is not a currency of the account",
};

/** The requested value is not a currency at all, for which there is no other code. */
const MALFORMED: Fault = { ...CURRENCY_UNKNOWN, message: `currency ${NO_CURRENCY_CODE}` };

/**
 * Reads `currency` of R2 and R3, adding AC09 for a value that is not a currency (COBS 3.1.4, 3.1.5, A-41). Whether the account
 * is kept in it is not yet verified.
 */
export function readCurrency(query: URLSearchParams, faults: Fault[]): CurrencyCode | undefined {
  const text = readOnce(query, "currency", faults);
  const currency = findCurrencyCode(text);
  if (text !== undefined && currency === undefined) faults.push(MALFORMED);
  return currency;
}
