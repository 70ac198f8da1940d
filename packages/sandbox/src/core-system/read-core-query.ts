import {
  type CurrencyCode,
  findCurrencyCode,
  MAX_PAGE_SIZE,
  type PageRequest,
  type Sort,
  TRANSACTION_SORT_FIELDS,
  type TransactionSortField,
} from "@cobs/cobs-model";

/** A question does not follow the contract; `message` says what is wrong. */
export class MalformedQuestion extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MalformedQuestion";
  }
}

/** Which transactions of an account to list. */
export interface WantedTransactions {
  readonly from: Date;
  readonly before: Date | undefined;
  readonly currency: CurrencyCode | undefined;
  readonly page: PageRequest;
  readonly sort: readonly Sort<TransactionSortField>[];
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;
const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,14})$/;

/** Reads the query of a question for transactions; throws `MalformedQuestion`. */
export function readWantedTransactions(query: URLSearchParams): WantedTransactions {
  const from = readInstant(query, "from");
  if (from === undefined) throw new MalformedQuestion("from is missing");
  const size = readNumber(query, "size") ?? MAX_PAGE_SIZE;
  if (size < 1 || size > MAX_PAGE_SIZE)
    throw new MalformedQuestion(`size must be from 1 to ${MAX_PAGE_SIZE}`);
  return {
    from,
    before: readInstant(query, "before"),
    currency: readCurrency(query),
    page: { page: readNumber(query, "page") ?? 0, size },
    sort: readSort(query),
  };
}

/** Reads the currency of a question; throws `MalformedQuestion`. */
export function readCurrency(query: URLSearchParams): CurrencyCode | undefined {
  const text = readOnce(query, "currency");
  if (text === undefined) return undefined;
  const currency = findCurrencyCode(text);
  if (currency === undefined) throw new MalformedQuestion("currency must be three capital letters");
  return currency;
}

function readInstant(query: URLSearchParams, name: string): Date | undefined {
  const text = readOnce(query, name);
  if (text === undefined) return undefined;
  const time = INSTANT.test(text) ? new Date(text) : new Date(Number.NaN);
  // Some readers move a day that the month does not have into the next month.
  if (Number.isNaN(time.getTime()) || time.toISOString().slice(0, 10) !== text.slice(0, 10))
    throw new MalformedQuestion(`${name} must be an instant in UTC`);
  return time;
}

function readNumber(query: URLSearchParams, name: string): number | undefined {
  const text = readOnce(query, name);
  if (text === undefined) return undefined;
  if (!WHOLE_NUMBER.test(text)) throw new MalformedQuestion(`${name} must be a whole number`);
  return Number(text);
}

function readSort(query: URLSearchParams): readonly Sort<TransactionSortField>[] {
  const keys = readOnce(query, "sort")?.split(",").map(readKey) ?? [];
  if (new Set(keys.map(({ field }) => field)).size < keys.length)
    throw new MalformedQuestion("sort names a field twice");
  return keys;
}

function readKey(text: string): Sort<TransactionSortField> {
  const [name, direction, ...others] = text.split(":");
  const field = TRANSACTION_SORT_FIELDS.find((candidate) => candidate === name);
  if (field === undefined || others.length > 0 || (direction !== "asc" && direction !== "desc"))
    throw new MalformedQuestion("sort must be a list of field:asc or field:desc");
  return { field, direction };
}

function readOnce(query: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = query.getAll(name);
  if (others.length > 0) throw new MalformedQuestion(`${name} is given more than once`);
  return value;
}
