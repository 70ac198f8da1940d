import { type Clock, type JobParts, type Repeated, startListBatches } from "@cobs/service-edge";
import type { OverdueCursor, SigningStore } from "./signing-store.ts";

const BATCH = 100;
const TERMS = {
  failure: "overdue signing requests could not be ended",
  lookMilliseconds: 1_000,
  busyMilliseconds: 0,
};

/**
 * Job that writes the expiry of undecided requests within about a second, until it is stopped; also of those that expired while
 * no process ran. No decision depends on it: an expired request cannot be approved, written or not.
 */
export function startExpiringSigningRequests({
  store,
  clock,
  ...parts
}: JobParts & {
  readonly store: Pick<SigningStore, "expire">;
  readonly clock: Clock;
}): Repeated {
  const act = { actor: { kind: "server", part: "signing expiry" }, requestId: undefined } as const;
  const expire = (after: OverdueCursor | undefined) => store.expire({ act, now: clock.now() }, BATCH, after);
  return startListBatches(expire, { ...TERMS, ...parts });
}
