import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../log/log.ts";
import { isDatabaseUnavailable } from "./database-unavailable.ts";

const LIMIT_MILLISECONDS = 120_000;
const RETRY_MILLISECONDS = 250;

/**
 * Runs `work`, which needs the database, at the start of a process. Repeats it for up to two minutes while the database does
 * not answer, because a process that ended would only be restarted. `work` may run any number of times.
 */
export async function whenDatabaseAnswers<T>(
  work: () => Promise<T>,
  log: Log,
  limitMilliseconds = LIMIT_MILLISECONDS,
): Promise<T> {
  const until = performance.now() + limitMilliseconds;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > until) throw error;
      if (attempt === 1) log.warn({ error }, "the database does not answer at the start; trying again");
    }
    await delay(RETRY_MILLISECONDS);
  }
}
