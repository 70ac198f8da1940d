import { askProgress } from "../bank/http-connector/order-questions.ts";
import { counted, type KitCheck, NotShown, requireSo } from "./kit-check.ts";
import { nameEnd } from "./kit-payment.ts";
import { requirePayee } from "./kit-scene.ts";

/** Shows that the orders of the checks before it are still as they ended, and rejected for the reason that was given. */
export const ENDED_ORDERS: KitCheck = {
  clause: "6.6",
  title: "Orders that have ended stay as they ended, with the same reason",
  show: async (scene) => {
    requirePayee(scene);
    const { core, ended } = scene;
    if (ended.size === 0) throw new NotShown("no order of the checks before it has ended");
    for (const [paymentId, end] of ended) {
      const progress = await core.ask(askProgress(paymentId));
      requireSo(nameEnd(progress) === end, `an order that was ${end} is ${nameEnd(progress)}`, progress);
    }
    return counted(ended.size, "order");
  },
};
