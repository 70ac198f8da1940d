import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../log/log.ts";
import { isDatabaseUnavailable } from "./database-unavailable.ts";

const LIMIT_MILLISECONDS = 120_000;
const RETRY_MILLISECONDS = 250;

/**
 * Does at a start what needs the database, and again while that does not answer, for two minutes: a process that ended for it
 * would only be started again. `work` may be done any number of times.
 */
export async function whenDatabaseAnswers<T>(work: () => Promise<T>, log: Log): Promise<T> {
  const until = performance.now() + LIMIT_MILLISECONDS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > until) throw error;
      log.warn({ error }, "the database does not answer at the start; trying again");
    }
    await delay(RETRY_MILLISECONDS);
  }
}
