import type { Route } from "@cobs/service-edge";
import type { OperatorAct } from "../../audit/act.ts";
import { OperatorRefusal } from "../../operator-api/operator-refusal.ts";
import { parseReason } from "../../operator-api/order-reason.ts";
import type { OperatorRoute } from "./operator-route.ts";

/** What orders about Redis need. */
export interface RedisOrderParts {
  /** Undefined without Redis. */
  readonly turnEpoch: ((act: OperatorAct) => Promise<void>) | undefined;
}

/** Serves `/operator/redis/turn-epoch`: everything in Redis is forgotten, and PSUs in the middle of a journey begin again. */
export function createRedisOrderRoutes(
  route: OperatorRoute,
  { turnEpoch }: RedisOrderParts,
): readonly Route[] {
  return [
    route("POST", "/operator/redis/turn-epoch", async ({ body }, act) => {
      const note = parseReason(body);
      if (turnEpoch === undefined) throw new OperatorRefusal("unknown", "this auth does not use Redis");
      await turnEpoch({ ...act, note });
      return { status: 200, json: { result: "turned" }, facts: { turned: "redis" } };
    }),
  ];
}
