import { setTimeout as delay } from "node:timers/promises";
import { type Database, isDatabaseUnavailable, type Log } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { EXPIRY_BATCH_CONSENTS, expireConsents } from "./expire-consents-postgres.ts";

const LOOK_MILLISECONDS = 5_000;
/** Between two batches: whoever else tells something in the feed gets a turn. */
const BUSY_MILLISECONDS = 50;
const ACT: Act = { actor: { kind: "server", part: "consent expiry" }, requestId: undefined };

/**
 * Ends consents whose time is over, within seconds, until it is stopped; also all of those whose time came while no process
 * ran. Nothing depends on it: a consent that has run out opens nothing from that moment.
 */
export function startConsentExpiry({ database, log }: { readonly database: Database; readonly log: Log }): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const { signal } = stopping;
  const fail = (error: unknown) => {
    if (!isDatabaseUnavailable(error)) log.error({ error }, "consents could not be ended");
    return 0;
  };
  async function run(): Promise<void> {
    while (!signal.aborted) {
      const consents = await expireConsents(database, ACT).catch(fail);
      if (consents > 0) log.info({ consents }, "consents have expired");
      const pause = consents < EXPIRY_BATCH_CONSENTS ? LOOK_MILLISECONDS : BUSY_MILLISECONDS;
      await delay(pause, undefined, { signal, ref: false }).catch(() => {});
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
