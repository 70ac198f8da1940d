import type { Transaction } from "@cobs/cobs-model";
import { type KitCheck, NotShown } from "./kit-check.ts";
import { dayOfBooking, WHOLE_PAGE } from "./kit-scene.ts";
import { requireOrder } from "./require-order.ts";
import { BY_DAY_AND_AMOUNT, findSortableSpan, presentOrder } from "./sort-orders.ts";

/**
 * Shows that sorting by booking date goes by the day: comparing instants would order the transactions of a day otherwise.
 */
export const BY_DAY_ALONE: KitCheck = {
  clause: "5.5",
  title: "If another sort field follows it, bookingDate is compared by its day alone",
  show: async (scene) => {
    await requireOrder(scene, BY_DAY_AND_AMOUNT, await findSortableSpan(scene));
    const { entries } = await scene.history();
    if (!hasLargerAfterSmaller(entries.slice(0, WHOLE_PAGE)))
      throw new NotShown("needs a day with two booked transactions, the later one of the larger amount");
    return presentOrder(BY_DAY_AND_AMOUNT);
  },
};

/** Whether, newest first, some transaction has a larger amount than the one before it on the same day. */
function hasLargerAfterSmaller(newestFirst: readonly Transaction[]): boolean {
  const booked = newestFirst.filter(({ status }) => status === "BOOK");
  return booked.some((entry, place) => {
    const before = booked[place + 1];
    if (before === undefined || dayOfBooking(before) !== dayOfBooking(entry)) return false;
    return entry.amount.minor > before.amount.minor;
  });
}
