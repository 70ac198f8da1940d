import { isDatabaseUnavailable, type Log, PrivateServiceUnavailable } from "@cobs/service-edge";

/** Notes that a part of a round could not be done. */
export type NoteFailure = (failure: unknown) => void;

/**
 * Does a round of a job whose parts do not keep each other up. The first failure that nobody else tells is thrown at its end, so
 * that the round counts as failed.
 */
export async function gatherFailures<T>(round: (noteFailure: NoteFailure) => Promise<T>): Promise<T> {
  const untold: unknown[] = [];
  const done = await round((failure) => {
    if (!isToldByOthers(failure)) untold.push(failure);
  });
  if (untold.length > 0) throw untold[0];
  return done;
}

/** What a job does that asks auth when a round of it fails: it tells the log what nobody else tells, and pauses so long. */
export function tellUntold(log: Log, failure: string, milliseconds: number): (error: unknown) => number {
  return (error) => {
    if (!isToldByOthers(error)) log.error({ error }, failure);
    return milliseconds;
  };
}

/** That auth or the database is away is told by others. */
function isToldByOthers(error: unknown): boolean {
  return error instanceof PrivateServiceUnavailable || isDatabaseUnavailable(error);
}
