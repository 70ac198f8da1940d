import type { Route } from "@cobs/service-edge";
import type { OperatorAct } from "../../audit/act.ts";
import { OperatorRefusal } from "../../operator-api/operator-refusal.ts";
import { parseReason } from "../../operator-api/order-reason.ts";
import type { OperatorRoute } from "./operator-route.ts";

/** What orders about Redis are carried out with. */
export interface RedisOrderParts {
  /** Undefined where there is no Redis. */
  readonly turnEpoch: ((act: OperatorAct) => Promise<void>) | undefined;
}

/** Serves `/operator/redis/turn-epoch`: nothing that Redis holds is found any more, and PSUs under way begin anew. */
export function createRedisOrderRoutes(
  route: OperatorRoute,
  { turnEpoch }: RedisOrderParts,
): readonly Route[] {
  return [
    route("POST", "/operator/redis/turn-epoch", async ({ body }, act) => {
      const note = parseReason(body);
      if (turnEpoch === undefined)
        throw new OperatorRefusal("unknown", "what may be lost is in PostgreSQL here");
      await turnEpoch({ ...act, note });
      return { status: 200, json: { result: "turned" }, facts: { turned: "redis" } };
    }),
  ];
}
