import { type Clock, type JobParts, type Repeated, startBatches } from "@cobs/service-edge";
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
  let after: OverduePlace | undefined;
  async function expire(): Promise<boolean> {
    const { failures, last } = await store.expire({ act, now: clock.now() }, BATCH, after);
    // Behind those that cannot be ended, however many they are, and from the front again after the last.
    after = last;
    if (failures.length > 0) throw new AggregateError(failures, "some signing requests could not be ended");
    return last !== undefined;
  }
  return startBatches(expire, { ...TERMS, ...parts });
}
