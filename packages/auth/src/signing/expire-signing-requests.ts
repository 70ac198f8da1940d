import { type Clock, type JobParts, type Repeated, startPlacedBatches } from "@cobs/service-edge";
import type { OverduePlace, SigningStore } from "./signing-store.ts";

const BATCH = 100;
const TERMS = {
  failure: "signing requests could not be ended",
  lookMilliseconds: 1_000,
  busyMilliseconds: 0,
};

/**
 * Writes the end of requests that nobody has decided in time, within a second or so, until it is stopped; also of those
 * whose time was over while no process ran. No decision depends on it: a request whose time is over cannot be approved.
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
  const expire = (after: OverduePlace | undefined) => store.expire({ act, now: clock.now() }, BATCH, after);
  return startPlacedBatches(expire, { ...TERMS, ...parts });
}
