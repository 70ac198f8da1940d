import { KEY_USES, type KeyUse } from "../keys/server-key.ts";
import { OperatorRefusal } from "./operator-refusal.ts";

/** Of which use another key shall be made. */
export interface KeyOrder {
  readonly use: KeyUse;
}

/** Reads the body of an order to rotate; a member that is not known refuses it. Refuses with `order_malformed`. */
export function parseKeyOrder(body: unknown): KeyOrder {
  const members = new Map<string, unknown>(Object.entries(body ?? {}));
  const use = KEY_USES.find((each) => each === members.get("use"));
  if (use === undefined || members.size > 1)
    throw new OperatorRefusal(
      "order_malformed",
      `use must be ${KEY_USES.join(" or ")}, and nothing else given`,
    );
  return { use };
}
