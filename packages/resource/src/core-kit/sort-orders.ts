import { bankDayOf, findSpan, type Sort, startOfBankDay, type TransactionSortField } from "@cobs/cobs-model";
import { MAX_SORTED_TRANSACTIONS } from "../bank/bank-refusal.ts";
import { counted, NotShown } from "./kit-check.ts";
import { BEGINNING, type KitScene } from "./kit-scene.ts";

/** A sort order of the contract. */
export type SortOrder = readonly Sort<TransactionSortField>[];

/** Orders of booking, which a core system must support for a history of any length. */
export const ORDERS_OF_BOOKING: readonly SortOrder[] = [
  [{ field: "bookingDate", direction: "asc" }],
  [{ field: "bookingDate", direction: "desc" }],
];

/** Orders that a core system may refuse for a long history (clause 3.4). */
export const OTHER_ORDERS: readonly SortOrder[] = [
  [{ field: "valueDate", direction: "asc" }],
  [{ field: "amount", direction: "asc" }],
  [{ field: "amount", direction: "desc" }],
  [{ field: "entryReference", direction: "desc" }],
];

/** An order in which only the day of a booking counts. */
export const BY_DAY_AND_AMOUNT: SortOrder = [
  { field: "bookingDate", direction: "desc" },
  { field: "amount", direction: "asc" },
];

/** A span of the account's history: its start, and how many transactions it has. */
export interface SortedSpan {
  readonly from: Date;
  readonly totalCount: number;
}

/** Writes an order as the contract does. */
export function presentOrder(sort: SortOrder): string {
  return sort.map(({ field, direction }) => `${field}:${direction}`).join(",");
}

/**
 * The longest span already read that has few enough transactions to be sorted in any order (clause 3.4): all, or those since
 * the oldest read. Throws `NotShown` if even these are too many.
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
    `needs an account with at most ${counted(MAX_SORTED_TRANSACTIONS, "transaction")}: the one with ${totalCount} has ` +
      `${since.totalCount} since ${day}, which need only be sorted by bookingDate (3.4)`,
  );
}
