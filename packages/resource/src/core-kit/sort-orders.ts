import { bankDayOf, findSpan, type Sort, startOfBankDay, type TransactionSortField } from "@cobs/cobs-model";
import { MAX_SORTED_TRANSACTIONS } from "../bank/bank-refusal.ts";
import { counted, NotShown } from "./kit-check.ts";
import { BEGINNING, type KitScene } from "./kit-scene.ts";

/** An order, as the contract has it. */
export type SortOrder = readonly Sort<TransactionSortField>[];

/** Orders of booking, in which a core system tells a history however long it is. */
export const ORDERS_OF_BOOKING: readonly SortOrder[] = [
  [{ field: "bookingDate", direction: "asc" }],
  [{ field: "bookingDate", direction: "desc" }],
];

/** Orders that it may refuse for a long one (clause 3.4). */
export const OTHER_ORDERS: readonly SortOrder[] = [
  [{ field: "valueDate", direction: "asc" }],
  [{ field: "amount", direction: "asc" }],
  [{ field: "amount", direction: "desc" }],
  [{ field: "entryReference", direction: "desc" }],
];

/** One in which only the day of a booking counts. */
export const BY_DAY_AND_AMOUNT: SortOrder = [
  { field: "bookingDate", direction: "desc" },
  { field: "amount", direction: "asc" },
];

/** A span of the account, by where it begins, and how many transactions it has. */
export interface SortedSpan {
  readonly from: Date;
  readonly totalCount: number;
}

/** Writes an order as the contract does. */
export function presentOrder(sort: SortOrder): string {
  return sort.map(({ field, direction }) => `${field}:${direction}`).join(",");
}

/**
 * The longest span that was looked at already, and has no more transactions than are told in any order (clause 3.4): all of
 * them, or those since the oldest that was seen. Throws `NotShown` where even these are more.
 */
export async function findSortableSpan(scene: KitScene): Promise<SortedSpan> {
  const { account, entries, totalCount } = await scene.history();
  if (totalCount <= MAX_SORTED_TRANSACTIONS) return { from: BEGINNING, totalCount };
  const oldest = findSpan(entries.at(-1)?.bookingDate ?? "")?.from ?? BEGINNING;
  const day = bankDayOf(oldest);
  const from = startOfBankDay(day);
  const since = await scene.list(account, { from });
  if (since.totalCount <= MAX_SORTED_TRANSACTIONS) return { from, totalCount: since.totalCount };
  throw new NotShown(
    `needs an account with at most ${counted(MAX_SORTED_TRANSACTIONS, "transaction")}: that with ${totalCount} has ` +
      `${since.totalCount} since ${day}, and may be told in no order but by bookingDate alone (3.4)`,
  );
}
