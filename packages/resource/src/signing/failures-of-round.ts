import {
  createTrouble,
  isDatabaseUnavailable,
  type Log,
  PrivateServiceUnavailable,
} from "@cobs/service-edge";

/** Notes that a part of a round failed. */
export type NoteFailure = (failure: unknown) => void;

/**
 * Runs a round of a job whose parts do not hold each other up. At its end, failures that are not logged elsewhere are told, each
 * reason once, and the first one is thrown, so that the round counts as failed.
 */
export async function gatherFailures<T>(
  round: (noteFailure: NoteFailure) => Promise<T>,
  tell: NoteFailure,
): Promise<T> {
  const reasons = createTrouble();
  const untold: unknown[] = [];
  const done = await round((failure) => {
    if (!isToldByOthers(failure) && reasons.isNews(failure)) untold.push(failure);
  });
  const [first, ...others] = untold;
  for (const other of others) tell(other);
  if (untold.length > 0) throw first;
  return done;
}

/**
 * Handles a failed round of a job that asks auth: logs the error unless it is logged elsewhere, and gives the pause in
 * milliseconds.
 */
export function tellUntold(log: Log, failure: string, milliseconds: number): (error: unknown) => number {
  return (error) => {
    if (!isToldByOthers(error)) log.error({ error }, failure);
    return milliseconds;
  };
}

/** Whether the failure is logged elsewhere: auth or the database is unreachable. */
function isToldByOthers(error: unknown): boolean {
  return error instanceof PrivateServiceUnavailable || isDatabaseUnavailable(error);
}
