import { KEY_USES, type KeyUse } from "../keys/server-key.ts";
import { parseOperatorOrder } from "./parse-order.ts";
import type { ParameterKind } from "./parse-query.ts";

/** An order to make another key, and the use of that key. */
export interface KeyOrder {
  readonly use: KeyUse;
}

const USE: ParameterKind<KeyUse> = {
  read: (text) => KEY_USES.find((use) => use === text),
  must: KEY_USES.join(" or "),
};

/** Reads the body of an order to rotate. Refuses with `order_malformed`. */
export function parseKeyOrder(body: unknown): KeyOrder {
  return parseOperatorOrder(body, ["use"], ({ required }) => {
    const use = required("use", USE);
    return use && { use };
  });
}
