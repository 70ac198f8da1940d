import { isDatabaseUnavailable, type Log, whenDatabaseAnswers } from "@cobs/service-edge/database";
import { SandboxRefusal } from "./sandbox-refusal.ts";

const LIMIT_MILLISECONDS = 120_000;

/**
 * Repeats repeatable work until the database answers within the services' time limits, which a machine that starts everything
 * at once may not meet. Refuses with `database_unavailable` after two minutes, as a service does.
 */
export async function untilDatabaseAnswers<T>(
  work: () => Promise<T>,
  log: Log,
  limitMilliseconds = LIMIT_MILLISECONDS,
): Promise<T> {
  try {
    return await whenDatabaseAnswers(work, log, limitMilliseconds);
  } catch (error) {
    throw isDatabaseUnavailable(error) ? unavailable(limitMilliseconds, error) : error;
  }
}

function unavailable(limitMilliseconds: number, cause: unknown): SandboxRefusal {
  const seconds = limitMilliseconds / 1_000;
  const message = `The database did not answer within ${seconds} s: is this machine very busy? The next start goes on from here.`;
  return new SandboxRefusal("database_unavailable", message, { cause });
}
