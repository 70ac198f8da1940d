import { setTimeout as delay } from "node:timers/promises";
import { type Account, bankDayOf, daysBefore, findSpan, maximumOf, nextBusinessDay } from "@cobs/cobs-model";
import { askProgress } from "../bank/http-connector/order-questions.ts";
import type { OrderToExecute } from "../bank/orders.ts";
import { counted, type KitCheck, NotShown, requireSo } from "./kit-check.ts";
import { fromAccount, withAmount } from "./kit-order.ts";
import {
  nameEnd,
  newOrder,
  newOrderForToday,
  requireAlike,
  requireNothingMoved,
  requirePaidOnce,
  requireRejected,
  send,
} from "./kit-payment.ts";
import { findForeignAccount, type KitScene } from "./kit-scene.ts";
import { ALTERATIONS, TWICE } from "./order-alterations.ts";

const AT_ONCE = 50;

/** Checks that an order is executed, and only once (clause 7). Each order is for one unit of money. */
export const EXECUTION_CHECKS: readonly KitCheck[] = [
  {
    clause: "7.1",
    title: "A repeated order is answered as before, and changes nothing",
    show: async (scene) => {
      const ordered = await newOrderForToday(scene);
      const { order } = ordered;
      const first = await send(scene, order);
      requireSo(first.outcome === "accepted", `a small order is ${nameEnd(first)}`, first);
      for (let time = 0; time < 3; time += 1) requireAlike([first, await send(scene, order)]);
      await requirePaidOnce(scene, ordered);
      requireAlike([first, await send(scene, order)]);
      await requirePaidOnce(scene, ordered);
      return "five equal answers, one transaction";
    },
  },
  {
    clause: "7.2",
    title: `The same order ${AT_ONCE} times at once is executed once`,
    show: async (scene) => {
      const ordered = await newOrderForToday(scene);
      const outcomes = await Promise.all(Array.from({ length: AT_ONCE }, () => send(scene, ordered.order)));
      requireAlike(outcomes);
      await requirePaidOnce(scene, ordered);
      return "one transaction";
    },
  },
  {
    clause: "7.3",
    title:
      "Another order under a known payment id is rejected with digest_mismatch, and the first one stands",
    show: async (scene) => {
      const ordered = await newOrderForToday(scene);
      const { order } = ordered;
      const first = await send(scene, order);
      for (let time = 0; time < 2; time += 1) {
        const outcome = await send(scene, withAmount(order, TWICE));
        requireRejected(outcome, "digest_mismatch", "another order under the same payment id");
        requireAlike([first, await send(scene, order)]);
      }
      await requirePaidOnce(scene, ordered);
      return "rejected twice, one transaction";
    },
  },
  {
    clause: "7.4",
    title: "An order that exceeds the funds is rejected with funds_insufficient, and stays so",
    show: async (scene) => {
      const ordered = await newOrder(scene);
      // Nobody has that much.
      const tooMuch = withAmount(ordered.order, maximumOf(ordered.order.order.type));
      const outcome = await send(scene, tooMuch);
      requireAlike([outcome, await send(scene, tooMuch)]);
      requireRejected(outcome, "funds_insufficient", "an order beyond any funds");
      await requireNothingMoved(scene, ordered);
      return "rejected twice";
    },
  },
  {
    clause: "7.4",
    title: "An order from an account that the PSU does not have is rejected with account_unknown",
    show: async (scene) => {
      const { account, before, order } = await newOrder(scene);
      const { id, iban } = await findForeignAccount(scene);
      const ways: readonly (readonly [string, Partial<Pick<Account, "id" | "iban">>])[] = [
        ["its id and its IBAN", { id, iban }],
        ["its id alone", { id }],
        ["its IBAN alone", { iban }],
      ];
      for (const [way, named] of ways) {
        const other = fromAccount(order, { ...account, ...named });
        const what = `an order from another PSU's account, by ${way},`;
        requireRejected(await send(scene, other), "account_unknown", what);
        await requireNothingMoved(scene, { order: other, before });
      }
      return "by its id, and by its IBAN";
    },
  },
  {
    clause: "7.5",
    title:
      "An order that differs from the approved one is rejected with digest_mismatch, and so is the approved one after it",
    show: async (scene) => {
      let count = 0;
      for (const [what, alter] of ALTERATIONS) {
        const ordered = await newOrder(scene);
        const altered = await alter(ordered.order, scene);
        if (altered === undefined) continue;
        count += 1;
        for (const order of [altered, ordered.order])
          requireRejected(
            await send(scene, order),
            "digest_mismatch",
            `an order, after it was sent with ${what},`,
          );
        await requireNothingMoved(scene, ordered);
      }
      return counted(count, "alteration");
    },
  },
  {
    clause: "7.8",
    title: "An order whose day has passed is executed at once, and not valued before today",
    show: async (scene) => {
      const today = bankDayOf(new Date());
      const ordered = await newOrderForToday(scene, { executionDate: daysBefore(today, 1) });
      const outcome = await send(scene, ordered.order);
      requireSo(outcome.outcome === "accepted", `an order of yesterday is ${nameEnd(outcome)}`, outcome);
      const charges = await requirePaidOnce(scene, ordered);
      for (const day of charges.flatMap(({ bookingDate, valueDate }) => [bookingDate, valueDate]))
        requireSo(bankDayOfText(day) >= today, `an order of yesterday is booked or valued on ${day}`);
      return "one transaction";
    },
  },
  {
    clause: "7.8",
    title:
      "An order for a later day is not executed before it, even if another has its instructionIdentification",
    show: async (scene) => {
      const executionDate = await laterDay(scene);
      // Throws before anything is sent if the second order could not be executed today.
      await newOrderForToday(scene);
      const { order: later } = await newOrder(scene, { executionDate, urgency: "on a later day" });
      const outcome = await send(scene, later);
      requireSo(
        outcome.outcome === "accepted",
        `an order for ${executionDate} is ${nameEnd(outcome)}`,
        outcome,
      );
      const lookUntil = Date.now() + scene.laterOrdersMilliseconds;
      const { instructionIdentification } = later.order;
      const ordered = await newOrderForToday(scene, { instructionIdentification });
      await send(scene, ordered.order);
      // Checked first, in case the end of today's order is never seen.
      await requireWaiting(scene, later);
      await requirePaidOnce(scene, ordered).finally(async () => {
        await requireWaiting(scene, later);
        // A core system may execute orders only now and then.
        await delay(Math.max(0, lookUntil - Date.now()));
        await requireWaiting(scene, later);
      });
      return `accepted for ${executionDate}`;
    },
  },
];

/** Requires that an order for a later day is not executed. */
async function requireWaiting(
  { core }: KitScene,
  { paymentId, executionDate }: OrderToExecute,
): Promise<void> {
  const progress = await core.ask(askProgress(paymentId));
  const isWaiting = progress.state === "accepted";
  requireSo(isWaiting, `an order for ${executionDate} is ${nameEnd(progress)} today`, progress);
}

/** The bank-local day of a date or an instant, which a core system may give in UTC. */
function bankDayOfText(text: string): string {
  const span = findSpan(text);
  return span === undefined ? "" : bankDayOf(span.from);
}

/**
 * A later day on which orders are executed: the second day ahead if the bank takes orders that early, so that it does not
 * begin during the check, otherwise the first.
 */
async function laterDay(scene: KitScene): Promise<string> {
  const { maxDaysAhead } = await scene.terms();
  const today = bankDayOf(new Date());
  const days = [2, 1].map((ahead) => nextBusinessDay(["czech", "target"], daysBefore(today, -ahead)));
  const taken = days.find((day) => daysBefore(day, maxDaysAhead) <= today);
  if (taken === undefined) throw new NotShown(`the bank takes no orders today for ${days.at(-1)}`);
  return taken;
}
