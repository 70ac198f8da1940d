import { isDatabaseUnavailable } from "../database/database-unavailable.ts";
import type { Log } from "../log/log.ts";

/**
 * Makes a job's handler of failed rounds: it logs the failure, unless the database is away, which is logged elsewhere, and
 * returns the pause in milliseconds.
 */
export function tellFailure(log: Log, failure: string, milliseconds: number): (error: unknown) => number {
  return (error) => {
    if (!isDatabaseUnavailable(error)) log.error({ error }, failure);
    return milliseconds;
  };
}
