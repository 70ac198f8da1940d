import { LINE, ON_BEHALF } from "./parameter-kinds.ts";
import { parseOperatorOrder } from "./parse-order.ts";

/** An order to end a consent, to a card issuer or another TPP. */
export interface ConsentEnding {
  readonly reason: string;
  /** Who ends it: the bank, or the PSU, who asked the bank to. */
  readonly by: "bank" | "psu";
}

/** Reads the body of an order to end a consent. Refuses with `order_malformed`. */
export function parseConsentEnding(body: unknown): ConsentEnding {
  return parseOperatorOrder(body, ["reason", "onBehalfOf"], ({ required, optional }) => {
    const by = optional("onBehalfOf", ON_BEHALF) ?? "bank";
    const reason = required("reason", LINE);
    return reason === undefined ? undefined : { reason, by };
  });
}
