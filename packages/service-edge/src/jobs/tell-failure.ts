import { isDatabaseUnavailable } from "../database/database-unavailable.ts";
import type { Log } from "../log/log.ts";

/**
 * What a job does when a round of it fails: it tells the log, unless the database is away, which others tell, and pauses for so
 * many milliseconds.
 */
export function tellFailure(log: Log, failure: string, milliseconds: number): (error: unknown) => number {
  return (error) => {
    if (!isDatabaseUnavailable(error)) log.error({ error }, failure);
    return milliseconds;
  };
}
