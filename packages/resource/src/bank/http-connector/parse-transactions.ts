import {
  bankDayOf,
  findSpan,
  type PageContent,
  requireTransaction,
  type Transaction,
} from "@cobs/cobs-model";
import type { TransactionListRequest } from "../bank.ts";
import { requireCount, requireList, requireObject, UnbelievableAnswer } from "./json-members.ts";

/** What an answer with transactions must fit. */
export type WantedTransactions = Pick<TransactionListRequest, "currency" | "from" | "before" | "page">;

/**
 * Reads one page of transactions: as many as there must be by their number on all pages, all in the one currency that was
 * asked for, and what is booked within the span. Throws `UnbelievableAnswer` or a `ContentRefusal`.
 */
export function parseTransactions(value: unknown, wanted: WantedTransactions): PageContent<Transaction> {
  const answer = requireObject(value, "answer");
  const totalCount = requireCount(answer.totalCount, "totalCount");
  const limits = { path: "transactions", most: wanted.page.size };
  const entries = requireList(answer.transactions, limits, requireTransaction);
  requireWholePage(entries, totalCount, wanted);
  requireOneCurrency(entries, wanted);
  for (const entry of entries) requireWithin(entry, wanted);
  return { entries, totalCount };
}

/** A page that is too short would leave out what the TPP is told to exist. */
function requireWholePage(
  entries: readonly Transaction[],
  totalCount: number,
  { page: { page, size } }: WantedTransactions,
): void {
  const expected = Math.max(0, Math.min(size, totalCount - page * size));
  if (entries.length !== expected)
    throw new UnbelievableAnswer(`transactions has ${entries.length} members, and ${expected} by totalCount`);
}

function requireOneCurrency(entries: readonly Transaction[], wanted: WantedTransactions): void {
  const currency = wanted.currency ?? entries[0]?.amount.currency;
  if (entries.some(({ amount }) => amount.currency !== currency))
    throw new UnbelievableAnswer("transactions has another currency than was asked for");
}

/**
 * What is older than the span may need a fresher authentication of the PSU: it must not be told because a core system
 * overlooked the limit. Only days can be compared; pending items are counted by when they were blocked, which they do not tell.
 */
function requireWithin({ status, bookingDate }: Transaction, { from, before }: WantedTransactions): void {
  if (status === "PDNG") return;
  const span = findSpan(bookingDate);
  if (span === undefined) throw new UnbelievableAnswer("a bookingDate is not a date");
  const day = bankDayOf(span.from);
  const last = before === undefined ? day : bankDayOf(new Date(before.getTime() - 1));
  if (day < bankDayOf(from) || day > last)
    throw new UnbelievableAnswer("a transaction is not of the span that was asked for");
}
