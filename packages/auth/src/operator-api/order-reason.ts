import { LINE } from "./parameter-kinds.ts";
import { parseOperatorOrder } from "./parse-order.ts";

/** Reads the body of an order that has only a reason. Refuses with `order_malformed`. */
export function parseReason(body: unknown): string {
  return parseOperatorOrder(body, ["reason"], ({ required }) => required("reason", LINE));
}
