/**
 * The answer of `GET /my/accounts/{id}/transactions` (COBS 3.1.5, A-35) as JSON in UTF-8. What is not known is left out
 * . A page has a hundred transactions with thirty texts each: where their details are kept as text, they go into the
 * answer as they are, so that nothing is parsed to be written again.
 */
import { presentDateOrTime } from "./bank-time.ts";
import type { Language } from "./language.ts";
import { type DecimalNumber, presentAmount } from "./money.ts";
import type { Page } from "./page.ts";
import { type DetailsText, readDetails, type StoredTransaction } from "./stored-transaction.ts";
import { presentDetails } from "./transaction-details-document.ts";
import { writePage } from "./write-page.ts";

/** Writes a value as JSON, `exactNumber` as the number that it is. */
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

/** What every transaction has, without the end of the object. Codes are of closed lists, and need no escapes. */
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

// Inside of a text each quotation mark has a backslash before it, so that none of these can be found there.
const AMOUNTS = '"amountDetails"';
const TEXT_OF_BANK = '"additionalTransactionInformation"';
const IN_BOTH = /: \{"cs": ("(?:[^"\\]|\\.)*"), "en": ("(?:[^"\\]|\\.)*")\}/y;
const IN_ONE = /: "/y;

/** Stored details in one language; undefined where they are to be read, as amounts are: stored as text, told as numbers. */
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
