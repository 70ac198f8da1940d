import type { ChainPoint } from "../audit/audit-chain.ts";
import { HASH, SEQUENCE } from "./parameter-kinds.ts";
import { parseOperatorOrder } from "./parse-order.ts";

/** Reads the body of an order to archive the audit log up to a point of its chain. Refuses with `order_malformed`. */
export function parseArchiveOrder(body: unknown): ChainPoint {
  return parseOperatorOrder(body, ["sequence", "hash"], ({ required }) => {
    const sequence = required("sequence", SEQUENCE);
    const hash = required("hash", HASH);
    return sequence === undefined || hash === undefined ? undefined : { sequence, hash };
  });
}
