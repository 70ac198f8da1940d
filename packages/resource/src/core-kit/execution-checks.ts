import { setTimeout as delay } from "node:timers/promises";
import type { Account } from "@cobs/cobs-model";
import { askProgress, sendOrder } from "../bank/http-connector/order-questions.ts";
import type { OrderOutcome, OrderProgress, OrderToExecute } from "../bank/orders.ts";
import { type KitCheck, NotShown, requireSo } from "./kit-check.ts";
import { kitOrderToExecute, withAmount } from "./kit-order.ts";
import { type KitScene, WHOLE_PAGE } from "./kit-scene.ts";

const AT_ONCE = 50;
const SETTLED_WITHIN_MILLISECONDS = 30_000;
const LOOK_MILLISECONDS = 250;

/** That an order is executed, and once (clause 7). Each of these orders one unit of money. */
export const EXECUTION_CHECKS: readonly KitCheck[] = [
  {
    clause: "7.1",
    title: "The same order again is answered as before, and changes nothing",
    show: async (scene) => {
      const { order, account } = await newOrder(scene);
      const first = await send(scene, order);
      requireSo(first.outcome === "accepted", "a small order is not accepted");
      for (let time = 0; time < 3; time += 1) requireAlike([first, await send(scene, order)]);
      await requireOneTransaction(scene, account, order);
      return "four times alike, one transaction";
    },
  },
  {
    clause: "7.2",
    title: `The same order ${AT_ONCE} times at once is one`,
    show: async (scene) => {
      const { order, account } = await newOrder(scene);
      const outcomes = await Promise.all(Array.from({ length: AT_ONCE }, () => send(scene, order)));
      requireAlike(outcomes);
      await requireOneTransaction(scene, account, order);
      return "one transaction";
    },
  },
  {
    clause: "7.3",
    title: "Another order under a known payment id is refused with digest_mismatch, and the first one stands",
    show: async (scene) => {
      const { order, account } = await newOrder(scene);
      await send(scene, order);
      const outcome = await send(scene, withAmount(order, TWICE));
      const isRefused = outcome.outcome === "rejected" && outcome.reason === "digest_mismatch";
      requireSo(isRefused, "another order under the same payment id is not refused with digest_mismatch");
      await requireOneTransaction(scene, account, order);
      return "refused, one transaction";
    },
  },
  {
    clause: "7.4",
    title: "An order that exceeds the funds is rejected with funds_insufficient, and stays so",
    show: async (scene) => {
      const { order } = await newOrder(scene);
      const tooMuch = withAmount(order, TOO_MUCH);
      const outcomes = [await send(scene, tooMuch), await send(scene, tooMuch)];
      requireAlike(outcomes);
      const [outcome] = outcomes;
      const isRejected = outcome?.outcome === "rejected" && outcome.reason === "funds_insufficient";
      requireSo(isRejected, "an order beyond any funds is not rejected with funds_insufficient");
      const { state } = await scene.core.ask(askProgress(order.paymentId));
      requireSo(state === "rejected", `it is ${state} afterwards`);
      return "rejected twice";
    },
  },
];

/** As much as two of these orders. */
const TWICE = 200n;
/** Nobody has so much. */
const TOO_MUCH = 10n ** 14n;

async function newOrder({ psu, payee, accounts }: KitScene) {
  if (payee === undefined) throw new NotShown("give --payee IBAN to have small orders executed");
  const [account] = await accounts();
  requireSo(account !== undefined, "the PSU has no account");
  return { order: kitOrderToExecute(psu, account, payee), account };
}

function send({ core }: KitScene, order: OrderToExecute): Promise<OrderOutcome> {
  return core.ask(sendOrder(order));
}

function requireAlike(outcomes: readonly OrderOutcome[]): void {
  const texts = new Set(outcomes.map((outcome) => JSON.stringify(outcome)));
  requireSo(texts.size === 1, "the same order had another answer");
}

async function requireOneTransaction(
  scene: KitScene,
  account: Account,
  order: OrderToExecute,
): Promise<void> {
  const progress = await untilSettled(scene, order);
  requireSo(progress.state === "completed", `a small instant order ends as ${progress.state}`);
  const { entries } = await scene.list(account, { page: { page: 0, size: WHOLE_PAGE } });
  const { entryReference = order.paymentId } = progress;
  const { length } = entries.filter((entry) => entry.entryReference === entryReference);
  requireSo(length === 1, `among the newest transactions it is told ${length} times`);
}

async function untilSettled({ core }: KitScene, { paymentId }: OrderToExecute): Promise<OrderProgress> {
  const until = Date.now() + SETTLED_WITHIN_MILLISECONDS;
  for (;;) {
    const progress = await core.ask(askProgress(paymentId));
    if (progress.state !== "accepted" || Date.now() > until) return progress;
    await delay(LOOK_MILLISECONDS);
  }
}
