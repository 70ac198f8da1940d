import {
  type Log,
  type Repeat,
  type Repeated,
  repeat,
  soonAfterStart,
  tellFailure,
} from "@cobs/service-edge";

const BATCH = 1_000;
const LOOK_MILLISECONDS = 60_000;
/** Between two batches: others who need the table get a turn. */
const BUSY_MILLISECONDS = 50;

/** How forgetting is told of. */
export interface ForgettingParts {
  readonly log: Log;
  /** For the log, when it does not work. */
  readonly failure: string;
  readonly again?: Repeat | undefined;
}

/**
 * Deletes what decides nothing any more, batch after batch and then again each minute, until it is stopped. Every process
 * does, and nothing depends on it but the size of a table. `forgetOld` deletes at most so many, and gives how many.
 */
export function startForgetting(
  forgetOld: (batch: number) => Promise<number>,
  { log, failure, again = repeat }: ForgettingParts,
): Repeated {
  return again(
    async () => ((await forgetOld(BATCH)) < BATCH ? LOOK_MILLISECONDS : BUSY_MILLISECONDS),
    tellFailure(log, failure, LOOK_MILLISECONDS),
    soonAfterStart(),
  );
}
