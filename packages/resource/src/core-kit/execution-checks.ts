import { setTimeout as delay } from "node:timers/promises";
import type { Account, Transaction } from "@cobs/cobs-model";
import { askProgress, sendOrder } from "../bank/http-connector/order-questions.ts";
import type { OrderOutcome, OrderProgress, OrderToExecute } from "../bank/orders.ts";
import { type KitCheck, NotShown, requireSo } from "./kit-check.ts";
import { kitOrderToExecute, withAmount } from "./kit-order.ts";
import { comparable, type KitScene, WHOLE_PAGE } from "./kit-scene.ts";

const AT_ONCE = 50;
const SETTLED_WITHIN_MILLISECONDS = 30_000;
const LOOK_MILLISECONDS = 250;

/** That an order is executed, and once (clause 7). Each of these orders one unit of money. */
export const EXECUTION_CHECKS: readonly KitCheck[] = [
  {
    clause: "7.1",
    title: "The same order again is answered as before, and changes nothing",
    show: async (scene) => {
      const ordered = await newOrder(scene);
      const { order } = ordered;
      const first = await send(scene, order);
      requireSo(first.outcome === "accepted", `a small order is ${nameEnd(first)}`);
      for (let time = 0; time < 3; time += 1) requireAlike([first, await send(scene, order)]);
      await requireOneTransaction(scene, ordered);
      return "four times alike, one transaction";
    },
  },
  {
    clause: "7.2",
    title: `The same order ${AT_ONCE} times at once is one`,
    show: async (scene) => {
      const ordered = await newOrder(scene);
      const outcomes = await Promise.all(Array.from({ length: AT_ONCE }, () => send(scene, ordered.order)));
      requireAlike(outcomes);
      await requireOneTransaction(scene, ordered);
      return "one transaction";
    },
  },
  {
    clause: "7.3",
    title: "Another order under a known payment id is refused with digest_mismatch, and the first one stands",
    show: async (scene) => {
      const ordered = await newOrder(scene);
      await send(scene, ordered.order);
      const outcome = await send(scene, withAmount(ordered.order, TWICE));
      const isRefused = outcome.outcome === "rejected" && outcome.reason === "digest_mismatch";
      requireSo(
        isRefused,
        `another order under the same payment id is ${nameEnd(outcome)}, not rejected with digest_mismatch`,
      );
      await requireOneTransaction(scene, ordered);
      return "refused, one transaction";
    },
  },
  {
    clause: "7.4",
    title: "An order that exceeds the funds is rejected with funds_insufficient, and stays so",
    show: async (scene) => {
      const { order } = await newOrder(scene);
      const tooMuch = withAmount(order, TOO_MUCH);
      const outcome = await send(scene, tooMuch);
      requireAlike([outcome, await send(scene, tooMuch)]);
      const isRejected = outcome.outcome === "rejected" && outcome.reason === "funds_insufficient";
      requireSo(
        isRejected,
        `an order beyond any funds is ${nameEnd(outcome)}, not rejected with funds_insufficient`,
      );
      const { state } = await scene.core.ask(askProgress(order.paymentId));
      requireSo(state === "rejected", `it is ${state} afterwards (clause 6.6)`);
      return "rejected twice";
    },
  },
];

/** As much as two of these orders. */
const TWICE = 200n;
/** Nobody has so much. */
const TOO_MUCH = 10n ** 14n;

/** An order that nobody has sent yet, and what its account told last before it. */
interface NewOrder {
  readonly order: OrderToExecute;
  readonly account: Account;
  readonly before: readonly Transaction[];
}

async function newOrder(scene: KitScene): Promise<NewOrder> {
  const { psu, payee } = scene;
  if (payee === undefined) throw new NotShown("give --payee IBAN to have small orders executed");
  const [account] = await scene.accounts();
  requireSo(account !== undefined, "the PSU has no account");
  const before = await newestOf(scene, account);
  return { order: kitOrderToExecute(psu, account, payee), account, before };
}

async function newestOf(scene: KitScene, account: Account): Promise<readonly Transaction[]> {
  return (await scene.list(account, { page: { page: 0, size: WHOLE_PAGE } })).entries;
}

function send({ core }: KitScene, order: OrderToExecute): Promise<OrderOutcome> {
  return core.ask(sendOrder(order));
}

function requireAlike(outcomes: readonly OrderOutcome[]): void {
  const texts = new Set(outcomes.map((outcome) => JSON.stringify(outcome)));
  requireSo(texts.size === 1, "the same order had another answer");
}

/** That an order is completed and stays so, and that its account was charged for it once, under whatever reference. */
async function requireOneTransaction(scene: KitScene, { order, account, before }: NewOrder): Promise<void> {
  const progress = await untilSettled(scene, order);
  requireSo(progress.state === "completed", `a small instant order ends as ${nameEnd(progress)}`);
  const entries = await newestOf(scene, account);
  const { entryReference = order.paymentId } = progress;
  const { length } = entries.filter((entry) => entry.entryReference === entryReference);
  requireSo(
    length === 1,
    `among the newest transactions of account ${account.id} ${length} have the entryReference ${entryReference}`,
  );
  const charges = (some: readonly Transaction[]) => some.filter((entry) => isChargeOf(order, entry)).length;
  const charged = charges(onlyIn(entries, before)) - charges(blockedOnlyIn(before, entries));
  requireSo(charged <= 1, `account ${account.id} was charged ${charged} times for one order`);
  const again = await scene.core.ask(askProgress(order.paymentId));
  requireSo(again.state === "completed", `an order that was completed is ${nameEnd(again)} (clause 6.6)`);
}

/** Those of some that the others do not have, or not as often. */
function onlyIn(some: readonly Transaction[], others: readonly Transaction[]): readonly Transaction[] {
  const known = others.map(comparable);
  return some.filter((entry) => {
    const place = known.indexOf(comparable(entry));
    if (place !== -1) known.splice(place, 1);
    return place === -1;
  });
}

/** What an earlier order blocked is told in another way once it is booked, and charges nothing anew. */
function blockedOnlyIn(
  before: readonly Transaction[],
  after: readonly Transaction[],
): readonly Transaction[] {
  return onlyIn(before, after).filter(({ status }) => status === "PDNG");
}

function isChargeOf({ order: { amount } }: OrderToExecute, entry: Transaction): boolean {
  return entry.direction === "DBIT" && !entry.isReversal && entry.amount.minor === amount.minor;
}

/** How an order ended, and why where it was rejected. */
function nameEnd(end: OrderOutcome | OrderProgress): string {
  const name = "outcome" in end ? end.outcome : end.state;
  if (!("reason" in end)) return name;
  return `${name} with ${end.reason}${end.ownWord === undefined ? "" : ` (${end.ownWord})`}`;
}

async function untilSettled({ core }: KitScene, { paymentId }: OrderToExecute): Promise<OrderProgress> {
  const until = Date.now() + SETTLED_WITHIN_MILLISECONDS;
  for (;;) {
    const progress = await core.ask(askProgress(paymentId));
    if (progress.state !== "accepted" || Date.now() > until) return progress;
    await delay(LOOK_MILLISECONDS);
  }
}
