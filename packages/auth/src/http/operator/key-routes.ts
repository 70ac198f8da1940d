import type { Route } from "@cobs/service-edge";
import type { FollowedKeys } from "../../keys/follow-keys.ts";
import type { KeyStore } from "../../keys/key-store.ts";
import { parseKeyOrder } from "../../operator-api/key-order.ts";
import { OperatorRefusal } from "../../operator-api/operator-refusal.ts";
import { parseReason } from "../../operator-api/order-reason.ts";
import { LINE } from "../../operator-api/parameter-kinds.ts";
import { presentKey } from "../../operator-api/present-key.ts";
import { named } from "./operator-answers.ts";
import type { OperatorRoute } from "./operator-route.ts";

/** What orders about keys need. */
export interface KeyParts {
  readonly keyStore: Pick<KeyStore, "list" | "announce" | "drop">;
  readonly keys: Pick<FollowedKeys, "refresh">;
}

const KEYS = "/operator/keys";

/** Serves `/operator/keys`: listing keys, announcing the next one, and dropping one. No answer has a secret. */
export function createKeyRoutes(route: OperatorRoute, { keyStore, keys }: KeyParts): readonly Route[] {
  return [
    route("GET", KEYS, async () => {
      const listed = await keyStore.list();
      return { status: 200, json: { keys: listed.map(presentKey) } };
    }),
    route("POST", KEYS, async ({ body }, act) => {
      const { use } = parseKeyOrder(body);
      const announced = await keyStore.announce(use, act);
      if (announced === undefined)
        throw new OperatorRefusal("already_announced", "it takes over from the current key automatically");
      await keys.refresh();
      return { status: 201, json: presentKey(announced), facts: { announced: announced.kid } };
    }),
    route("POST", `${KEYS}/:kid/drop`, async (call, act) => {
      const note = parseReason(call.body);
      const dropped = await keyStore.drop(named(call, "kid", LINE), { ...act, note });
      if (dropped === undefined)
        throw new OperatorRefusal("key_not_in_use", "no key has this id, or the key is already gone");
      await keys.refresh();
      return { status: 200, json: presentKey(dropped), facts: { dropped: dropped.kid } };
    }),
  ];
}
