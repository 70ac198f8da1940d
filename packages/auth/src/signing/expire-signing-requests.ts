import { setTimeout as delay } from "node:timers/promises";
import { type Clock, isDatabaseUnavailable, type Log } from "@cobs/service-edge";
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
}): { stop(): Promise<void> } {
  const { store, clock, log } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const act = { actor: { kind: "server", part: "signing expiry" }, requestId: undefined } as const;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      const ended = await store.expire({ act, now: clock.now() }, BATCH).catch((error: unknown) => {
        if (!isDatabaseUnavailable(error)) log.error({ error }, "signing requests could not be ended");
        return 0;
      });
      if (ended < BATCH) await delay(LOOK_MILLISECONDS, undefined, { signal, ref: false }).catch(() => {});
    }
  }
  const running = run();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}
