import type { Account, Transaction } from "@cobs/cobs-model";
import { comparable, type KitScene, WHOLE_PAGE } from "./kit-scene.ts";
import type { SortOrder } from "./sort-orders.ts";

export const SMALL_PAGE = 3;
/** How many small pages are asked for. */
export const SMALL_PAGES = 8;

/** The first transactions of an account, read in small pages. */
export async function tellSmallPages(
  scene: KitScene,
  account: Account,
  wanted: { readonly sort?: SortOrder; readonly from?: Date } = {},
): Promise<readonly Transaction[]> {
  const told: Transaction[] = [];
  for (let page = 0; page < SMALL_PAGES; page += 1)
    told.push(...(await scene.list(account, { ...wanted, page: { page, size: SMALL_PAGE } })).entries);
  return told;
}

/** Says where a transaction differs from the one in the large page. */
export function explainOther(place: number): string {
  const [page, at] = [Math.floor(place / SMALL_PAGE), place % SMALL_PAGE];
  return `with size=${SMALL_PAGE}, transactions[${at}] of page ${page} is not the one at place ${place} with size=${WHOLE_PAGE}`;
}

/** The place of the first transaction that differs from the other list; undefined if none does. */
export function findOther(some: readonly Transaction[], others: readonly Transaction[]): number | undefined {
  const place = some.findIndex((entry, at) => {
    const other = others[at];
    return other === undefined || comparable(entry) !== comparable(other);
  });
  return place === -1 ? undefined : place;
}
