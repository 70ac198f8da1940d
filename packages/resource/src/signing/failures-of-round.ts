import {
  createTrouble,
  isDatabaseUnavailable,
  type Log,
  PrivateServiceUnavailable,
} from "@cobs/service-edge";

/** Notes that a part of a round could not be done. */
export type NoteFailure = (failure: unknown) => void;

/**
 * Does a round of a job whose parts do not keep each other up. What nobody else tells is thrown at its end, so that the round
 * counts as failed: the first failure, after the others are told, each reason once.
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
