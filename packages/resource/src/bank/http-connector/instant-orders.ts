import type { OrderExecution } from "../orders.ts";
import type { FollowedCalls } from "./call-trace.ts";

/** The same bank for instant payments: their questions take turns with those of other payments, instead of behind them. */
export function instantOrdersOf(
  bank: OrderExecution,
  { asInstantJob }: Pick<FollowedCalls, "asInstantJob">,
): OrderExecution {
  return {
    acceptOrder: (order) => asInstantJob(() => bank.acceptOrder(order)),
    progressOf: (...asked) => asInstantJob(() => bank.progressOf(...asked)),
  };
}
