import type { StopListKey } from "../tpp/stop-list.ts";
import { LINE, ORGANISATION, THUMBPRINT } from "./parameter-kinds.ts";
import { type OrderReader, parseOperatorOrder } from "./parse-order.ts";

/** An order to block; the caller's certificate tells who orders it. */
export type BlockOrder = StopListKey & { readonly reason: string };

const KEYS = ["organisationIdentifier", "thumbprint"];

function readKeys({ optional }: OrderReader): readonly StopListKey[] {
  const organisation = optional("organisationIdentifier", ORGANISATION);
  const certificate = optional("thumbprint", THUMBPRINT);
  return [
    ...(organisation === undefined ? [] : [{ kind: "organisation", key: organisation } as const]),
    ...(certificate === undefined ? [] : [{ kind: "certificate", key: certificate } as const]),
  ];
}

/** Reads the body of an order to block. Refuses with `order_malformed`. */
export function parseBlockOrder(body: unknown): BlockOrder {
  return parseOperatorOrder(body, [...KEYS, "reason"], (read) => {
    read.requireOne(KEYS);
    const [key] = readKeys(read);
    const reason = read.required("reason", LINE);
    return key === undefined || reason === undefined ? undefined : { ...key, reason };
  });
}
