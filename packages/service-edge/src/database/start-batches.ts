import { type Repeated, repeat, soonAfterStart } from "../lifecycle/repeat.ts";
import type { Log } from "../log/log.ts";
import type { Repeat } from "../metrics/job-metrics.ts";
import { tellFailure } from "./tell-failure.ts";

/** What a job tells of its failures with, and is counted by. */
export interface JobParts {
  readonly log: Log;
  readonly again?: Repeat | undefined;
}

/** What a job that works in batches is called in the log, and how long it pauses. */
export interface BatchTerms extends JobParts {
  /** For the log, when it does not work. */
  readonly failure: string;
  /** Until it looks again, when nothing is left or a batch has failed. */
  readonly lookMilliseconds: number;
  /** Between two batches, so that others get their turn. */
  readonly busyMilliseconds: number;
}

/**
 * Does a batch soon after the start of the process, the next one as long as the one before says that there may be more, and
 * looks again after a while, until it is stopped.
 */
export function startBatches(
  batch: (signal: AbortSignal) => Promise<boolean>,
  { log, failure, lookMilliseconds, busyMilliseconds, again = repeat }: BatchTerms,
): Repeated {
  return again(
    async (signal) => ((await batch(signal)) ? busyMilliseconds : lookMilliseconds),
    tellFailure(log, failure, lookMilliseconds),
    soonAfterStart(),
  );
}
