/**
 * The answer of `GET /my/accounts/{id}/transactions` (COBS 3.1.5, A-35) as JSON in UTF-8, without unknown elements. A
 * page has a hundred transactions with thirty texts each, so details kept as text go into the answer unparsed.
 */
import { presentDateOrTime } from "./bank-time.ts";
import type { Language } from "./language.ts";
import { type DecimalNumber, presentAmount } from "./money.ts";
import type { Page } from "./page.ts";
import { type DetailsText, readDetails, type StoredTransaction } from "./stored-transaction.ts";
import { presentDetails } from "./transaction-details-document.ts";
import { writePage } from "./write-page.ts";

/** Writes a value as JSON, with `exactNumber` as a number. */
export type WriteJson = (value: unknown) => string;

/** Writes a page of transactions, with the bank's texts in one language (COBS 3.1.5, PDF 1.2.6). */
export function writeTransactionList(
  page: Page<StoredTransaction>,
  language: Language,
  writeJson: WriteJson,
): string | Buffer {
  return writePage(page, "transactions", (entry) => writeTransaction(entry, language, writeJson));
}

function writeTransaction(entry: StoredTransaction, language: Language, writeJson: WriteJson): string {
  const { entryReference, details } = entry;
  const reference = entryReference === null ? "" : `,"entryReference":${quote(entryReference)}`;
  const told = details === null ? undefined : writeDetails(details, language, writeJson);
  const written = told === undefined ? "" : `,"entryDetails":{"transactionDetails":${told}}`;
  return `${writeEntry(entry)}${reference}${written}}`;
}

/**
 * Writes the members that every transaction has, without the end of the object. Codes are from closed lists, and need no
 * escapes.
 */
function writeEntry({ amount, direction, isReversal, status, code, ...dates }: StoredTransaction): string {
  const { value, currency } = presentAmount(amount);
  return (
    `{"amount":{"value":${writeNumber(value)},"currency":"${currency}"},"creditDebitIndicator":"${direction}",` +
    `"reversalIndicator":${isReversal},"status":"${status}","bookingDate":{"date":${writeDate(dates.bookingDate)}},` +
    `"valueDate":{"date":${writeDate(dates.valueDate)}},` +
    `"bankTransactionCode":{"proprietary":{"code":"${code}","issuer":"CBA"}}`
  );
}

function writeNumber(value: DecimalNumber): string {
  return typeof value === "number" ? String(value) : value.exactNumber;
}

function writeDate(date: string): string {
  return quote(presentDateOrTime(date));
}

const PLAIN = /^[\w .:+-]*$/;

function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

function writeDetails(
  details: NonNullable<StoredTransaction["details"]>,
  language: Language,
  writeJson: WriteJson,
): string {
  if (typeof details !== "string") return writeJson(presentDetails(details, language));
  return findTextOf(details, language) ?? writeJson(presentDetails(readDetails(details), language));
}

// Inside a text each quotation mark has a backslash before it, so that these strings cannot occur there.
const AMOUNTS = '"amountDetails"';
const TEXT_OF_BANK = '"additionalTransactionInformation"';
const IN_BOTH = /: \{"cs": ("(?:[^"\\]|\\.)*"), "en": ("(?:[^"\\]|\\.)*")\}/y;
const IN_ONE = /: "/y;

/** Finds stored details in one language; undefined if they must be parsed, as amounts must: stored as text, sent as numbers. */
function findTextOf(details: DetailsText, language: Language): string | undefined {
  if (details.includes(AMOUNTS)) return undefined;
  // PostgreSQL prints the longest name last.
  const at = details.lastIndexOf(TEXT_OF_BANK);
  if (at < 0) return details;
  const from = at + TEXT_OF_BANK.length;
  const [both, cs, en] = matchAt(IN_BOTH, details, from) ?? [];
  if (both === undefined) return matchAt(IN_ONE, details, from) === null ? undefined : details;
  const chosen = language === "cs" ? cs : en;
  return `${details.slice(0, from)}: ${chosen}${details.slice(from + both.length)}`;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
