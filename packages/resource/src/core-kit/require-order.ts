import { requireSo, Shortcoming } from "./kit-check.ts";
import type { KitScene } from "./kit-scene.ts";
import { explainOther, findOther, tellSmallPages } from "./small-pages.ts";
import { presentOrder, type SortedSpan, type SortOrder } from "./sort-orders.ts";

/** Asks for a page in an order; the connector's check of answers, which follows the contract, compares the order. */
export async function requireOrder(
  scene: KitScene,
  sort: SortOrder,
  { from, totalCount }: SortedSpan,
): Promise<void> {
  const { account } = await scene.history();
  const order = presentOrder(sort);
  const whole = await scene.list(account, { sort, from });
  requireSo(whole.totalCount === totalCount, `${order} has totalCount ${whole.totalCount}`);
  const other = findOther(await tellSmallPages(scene, account, { sort, from }), whole.entries);
  if (other !== undefined) throw new Shortcoming(`${order}: ${explainOther(other)}`);
}
