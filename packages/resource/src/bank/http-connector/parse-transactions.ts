import { bankDayOf, type PageContent, requireTransaction, type Transaction } from "@cobs/cobs-model";
import type { TransactionListRequest } from "../bank.ts";
import { type BookedEntry, readBooking } from "./booked-entry.ts";
import {
  isJsonObject,
  type JsonObject,
  refuse,
  refuseAbsent,
  requireCount,
  requireList,
  requireObject,
  UnbelievableAnswer,
} from "./json-members.ts";
import { withPermittedReferences } from "./permitted-references.ts";
import { requireSorted } from "./require-sorted.ts";
import { withTellableTexts } from "./tellable-texts.ts";

/** What an answer with transactions must match. */
export type WantedTransactions = Pick<
  TransactionListRequest,
  "currency" | "from" | "before" | "sort" | "page"
>;

/**
 * Reads one page of transactions. It must be as long as the total count demands, in the order asked for, in one currency, with
 * every booked entry within the span. If no currency was asked for, that this is the main one is not verified, because no
 * answer says it. Throws `UnbelievableAnswer` or a `ContentRefusal`.
 */
export function parseTransactions(value: unknown, wanted: WantedTransactions): PageContent<Transaction> {
  const answer = requireObject(value, "answer");
  const totalCount = requireCount(answer.totalCount, "totalCount");
  const limits = { path: "transactions", most: wanted.page.size };
  const entries = requireList(answer.transactions, limits, readTransaction);
  requireWholePage(entries, totalCount, wanted);
  requireOneCurrency(entries, wanted);
  const booked = entries.map(readBooking);
  requireWithin(booked, wanted);
  requireSorted(booked, wanted.sort);
  return { entries, totalCount };
}

/**
 * Skips members that the standard does not have, so that a core system may send one before resource knows it (clause 1.3).
 */
function readTransaction(value: unknown, path: string): Transaction {
  if (isJsonObject(value)) requireOwnMembers(value, path);
  const entry = requireTransaction(asItCanBeTold(value), path, "passed over");
  if (entry.entryReference === "")
    throw new UnbelievableAnswer(`${path}.entryReference must be null, not empty`);
  return entry;
}

/**
 * Requires the members that `requireTransaction` may do without: a TPP would be told that an entry cancels none, or has no
 * reference, though the core system did not say so. Their paths are made only for a fault, because a page has many entries.
 */
function requireOwnMembers({ entryReference, isReversal, details }: JsonObject, path: string): void {
  if (entryReference === undefined) refuseAbsent(`${path}.entryReference`);
  if (typeof isReversal !== "boolean") refuse(isReversal, `${path}.isReversal`, "must be true or false");
  if (details === undefined) refuseAbsent(`${path}.details`);
}

/**
 * Cleans the texts of a transaction, because one that the API cannot show would lose a whole page (clause 5.1). The entry's
 * own reference is never changed.
 */
export function asItCanBeTold(transaction: unknown): unknown {
  if (!isJsonObject(transaction)) return transaction;
  const details = inLanguagesOfApi(transaction.details);
  return { ...transaction, details: withPermittedReferences(withTellableTexts(details)) };
}

/** Drops texts in further languages, like every member that the standard does not have (clause 1.3). */
export function inLanguagesOfApi(details: unknown): unknown {
  if (!isJsonObject(details) || !isJsonObject(details.additionalTransactionInformation)) return details;
  const { cs, en } = details.additionalTransactionInformation;
  return { ...details, additionalTransactionInformation: { cs, en } };
}

/** Throws for a page that is too short: it would lack transactions that the total count promises. */
function requireWholePage(
  entries: readonly Transaction[],
  totalCount: number,
  { page: { page, size } }: WantedTransactions,
): void {
  const expected = Math.max(0, Math.min(size, totalCount - page * size));
  if (entries.length !== expected)
    throw new UnbelievableAnswer(
      `transactions has ${entries.length} members, but must have ${expected} by totalCount`,
    );
}

function requireOneCurrency(entries: readonly Transaction[], wanted: WantedTransactions): void {
  const currency = wanted.currency ?? entries[0]?.amount.currency;
  const place = entries.findIndex(({ amount }) => amount.currency !== currency);
  if (place === -1) return;
  const what = wanted.currency === undefined ? "differs from that of the first" : "was not asked for";
  throw new UnbelievableAnswer(`transactions[${place}].amount.currency ${what}`);
}

/**
 * Requires entries within the span. Older ones may need a fresher authentication of the PSU, and must not be shown because a
 * core system overlooked the limit. Only days are compared. Pending items are not checked: they do not say when they were
 * blocked.
 */
function requireWithin(entries: readonly BookedEntry[], { from, before }: WantedTransactions): void {
  const first = bankDayOf(from);
  const last = before && bankDayOf(new Date(before.getTime() - 1));
  const place = entries.findIndex(
    ({ booked }) => booked !== undefined && (booked.day < first || (last !== undefined && booked.day > last)),
  );
  if (place === -1) return;
  const what = `transactions[${place}].bookingDate is outside the period that was asked for`;
  throw new UnbelievableAnswer(what, { clause: "5.6" });
}
