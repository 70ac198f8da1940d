import type { PageContent, Sort, Transaction, TransactionSortField } from "@cobs/cobs-model";
import type { TransactionListRequest } from "../../../packages/resource/src/bank/bank.ts";

/** A transaction, and when it was booked or blocked. */
export interface HistoryItem {
  readonly at: Date;
  readonly transaction: ToldTransaction;
}

/** The form in which transactions are compared; the code is any text. */
export type ToldTransaction = Omit<Transaction, "code"> & { readonly code: string };

/**
 * A bank's correct answers from a history in the order of booking, with pending items at its end; written for readability, not
 * speed.
 */
export function listHistory(
  history: readonly HistoryItem[],
  { from, before, sort, page }: Omit<TransactionListRequest, "psu" | "account" | "currency">,
): PageContent<ToldTransaction> {
  const inSpan = history.filter(({ at }) => at >= from && (before === undefined || at < before));
  const ordered = orderOf(inSpan, sort);
  const start = page.page * page.size;
  const entries = ordered.slice(start, start + page.size).map(({ transaction }) => transaction);
  return { entries, totalCount: ordered.length };
}

function orderOf(items: readonly HistoryItem[], sort: readonly Sort<TransactionSortField>[]) {
  const [first] = sort;
  if (first === undefined) return items.toReversed();
  if (sort.length === 1 && first.field === "bookingDate") {
    return first.direction === "asc" ? items : items.toReversed();
  }
  return items.toSorted((one, other) => {
    for (const { field, direction } of sort) {
      const difference = compare(keyOf(one, field), keyOf(other, field));
      if (difference !== 0) return direction === "asc" ? difference : -difference;
    }
    return 0;
  });
}

function keyOf({ at, transaction }: HistoryItem, field: TransactionSortField): string | bigint {
  switch (field) {
    case "bookingDate":
      return bankTimeOf(at).slice(0, 10);
    case "valueDate":
      return transaction.valueDate;
    case "amount":
      return transaction.amount.minor;
    case "entryReference":
      return Buffer.from(transaction.entryReference ?? "").toString("hex");
  }
}

function compare(one: string | bigint, other: string | bigint): number {
  if (one < other) return -1;
  return one > other ? 1 : 0;
}

const PRAGUE = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "Europe/Prague",
  dateStyle: "short",
  timeStyle: "medium",
});
const OFFSET = new Intl.DateTimeFormat("en-US", { timeZone: "Europe/Prague", timeZoneName: "longOffset" });

/** ISODateTime in Prague (COBS 3.1.5), e.g. `2026-03-29T03:00:00.000+02:00`. */
export function bankTimeOf(at: Date): string {
  const milliseconds = String(at.getUTCMilliseconds()).padStart(3, "0");
  const offset = OFFSET.formatToParts(at).find(({ type }) => type === "timeZoneName");
  return `${PRAGUE.format(at).replace(" ", "T")}.${milliseconds}${offset?.value.replace("GMT", "")}`;
}
