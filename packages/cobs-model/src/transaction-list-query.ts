import { bankDayOf, endOfBankDay, startOfBankDay } from "./bank-day.ts";
import { findNamedSpan, NO_DATE_OR_TIME, type Span } from "./bank-time.ts";
import type { CurrencyCode } from "./currency-code.ts";
import { readCurrency } from "./currency-query.ts";
import { invalid, readOnce, readPageRequest, readSort, type Sort } from "./list-parameters.ts";
import type { PageRequest } from "./page.ts";
import type { Fault } from "./refusal.ts";

/** Fields by which transactions can be sorted (A-08; the standard leaves the list to the bank). */
export const TRANSACTION_SORT_FIELDS = ["bookingDate", "valueDate", "amount", "entryReference"] as const;

/** A field by which transactions can be sorted. */
export type TransactionSortField = (typeof TRANSACTION_SORT_FIELDS)[number];

/** A TPP's query of `GET /my/accounts/{id}/transactions`; without `sort` the newest come first. */
export type TransactionListQuery = PageRequest & {
  /** The first instant included, and the first after the period; undefined if the TPP left it to the bank. */
  readonly from: Date | undefined;
  readonly before: Date | undefined;
  readonly currency: CurrencyCode | undefined;
  readonly sort: readonly Sort<TransactionSortField>[];
};

/** A query as far as it could be read, and all its faults; a query with a fault must not be answered. */
export type ReadTransactionListQuery = {
  readonly query: TransactionListQuery;
  readonly faults: readonly Fault[];
};

/** No history begins before this day. */
const FIRST_INSTANT = startOfBankDay("1900-01-01");

type DateName = "fromDate" | "toDate";

/**
 * Reads the query of `GET /my/accounts/{id}/transactions` (COBS 3.1.5, 1.2.8; unknown parameters are ignored) with all faults:
 * PARAMETER_INVALID for a value of another form; DT01 for a date that cannot be served (with `DATE_IN_FUTURE` after the
 * bank-local day of `now`, with `DATE_TO_OLD` before 1900, and at `toDate` if it is before `fromDate`); AC09 for a value that
 * is not a currency. Not yet verified: whether the history goes back that far, and the account has the currency.
 */
export function readTransactionListQuery(query: URLSearchParams, now: Date): ReadTransactionListQuery {
  const faults: Fault[] = [];
  const from = readDate(query, "fromDate", faults);
  const to = readDate(query, "toDate", faults);
  addFaultsOfSpan({ fromDate: from, toDate: to }, now, faults);
  const currency = readCurrency(query, faults);
  const { page, size } = readPageRequest(query, faults);
  const sort = readSort(query, TRANSACTION_SORT_FIELDS, faults);
  return { query: { page, size, from: from?.from, before: to?.before, currency, sort }, faults };
}

/** An unescaped `+` in a query becomes a space. */
function readDate(query: URLSearchParams, name: DateName, faults: Fault[]): Span | undefined {
  const text = readOnce(query, name, faults)?.replace(/ (?=\d\d:\d\d$)/, "+");
  const span = text === undefined ? undefined : findNamedSpan(text);
  if (text !== undefined && span === undefined) faults.push(invalid(name, NO_DATE_OR_TIME));
  return span;
}

function addFaultsOfSpan(
  spans: Readonly<Record<DateName, Span | undefined>>,
  now: Date,
  faults: Fault[],
): void {
  const { fromDate, toDate } = spans;
  const found = [...faultsOfDate("fromDate", fromDate, now), ...faultsOfDate("toDate", toDate, now)];
  // If a date is refused for itself, the order of the two is not checked.
  if (found.length === 0 && fromDate !== undefined && toDate !== undefined && toDate.before <= fromDate.from)
    found.push(unserved("toDate", "DATE_TO_OLD", "is before fromDate"));
  faults.push(...found);
}

function faultsOfDate(name: DateName, span: Span | undefined, now: Date): Fault[] {
  if (span === undefined) return [];
  if (span.from >= endOfBankDay(bankDayOf(now)))
    return [unserved(name, "DATE_IN_FUTURE", "is in the future")];
  if (span.from < FIRST_INSTANT) return [unserved(name, "DATE_TO_OLD", "is too old")];
  return [];
}

function unserved(name: DateName, date: "DATE_IN_FUTURE" | "DATE_TO_OLD", what: string): Fault {
  return { code: "DT01", path: name, parameters: { DATE: date }, message: `${name} ${what}` };
}
