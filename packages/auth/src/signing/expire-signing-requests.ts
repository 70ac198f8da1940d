import {
  type Clock,
  type Log,
  type Repeat,
  type Repeated,
  repeat,
  soonAfterStart,
  tellFailure,
} from "@cobs/service-edge";
import type { SigningStore } from "./signing-store.ts";

const BATCH = 100;
const LOOK_MILLISECONDS = 1_000;

/**
 * Writes the end of requests that nobody has decided in time, within a second or so, until it is stopped; also of those
 * whose time was over while no process ran. No decision depends on it: a request whose time is over cannot be approved.
 */
export function startExpiringSigningRequests(parts: {
  readonly store: Pick<SigningStore, "expire">;
  readonly clock: Clock;
  readonly log: Log;
  readonly again?: Repeat;
}): Repeated {
  const { store, clock, log, again = repeat } = parts;
  const act = { actor: { kind: "server", part: "signing expiry" }, requestId: undefined } as const;
  const fail = tellFailure(log, "signing requests could not be ended", LOOK_MILLISECONDS);
  const round = async () => {
    const ended = await store.expire({ act, now: clock.now() }, BATCH);
    return ended < BATCH ? LOOK_MILLISECONDS : 0;
  };
  return again(round, fail, soonAfterStart());
}
