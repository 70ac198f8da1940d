import type { StopListKey } from "../tpp/stop-list.ts";
import { LINE, ORGANISATION, THUMBPRINT } from "./parameter-kinds.ts";
import { type OrderReader, parseOperatorOrder } from "./parse-order.ts";

/** An order to block or release; the caller's certificate tells who orders it. */
export type StopListOrder = StopListKey & { readonly reason: string };

const KEYS = ["tpp", "certificate"];

function readKeys({ optional }: OrderReader): readonly StopListKey[] {
  const tpp = optional("tpp", ORGANISATION);
  const certificate = optional("certificate", THUMBPRINT);
  return [
    ...(tpp === undefined ? [] : [{ kind: "organisation", key: tpp } as const]),
    ...(certificate === undefined ? [] : [{ kind: "certificate", key: certificate } as const]),
  ];
}

/** Reads the body of an order to block or release. Refuses with `order_malformed`. */
export function parseStopListOrder(body: unknown): StopListOrder {
  return parseOperatorOrder(body, [...KEYS, "reason"], (read) => {
    read.requireOne(KEYS);
    const [key] = readKeys(read);
    const reason = read.required("reason", LINE);
    return key === undefined || reason === undefined ? undefined : { ...key, reason };
  });
}
