import type { Log } from "../log/log.ts";
import type { Repeat } from "./job-metrics.ts";
import { PartFailed } from "./part-failed.ts";
import { type Repeated, repeat, soonAfterStart } from "./repeat.ts";
import { tellFailure } from "./tell-failure.ts";

/** The log for a job's failures, and the `repeat` that counts its rounds. */
export interface JobParts {
  readonly log: Log;
  readonly again?: Repeat | undefined;
}

/** Log text and pauses of a job that works in batches. */
export interface BatchTerms extends JobParts {
  /** Text for the log when a batch fails. */
  readonly failure: string;
  /** Pause when nothing is left or a batch has failed; also the least time between two reports of failures in the log. */
  readonly lookMilliseconds: number;
  /** Pause between two batches, so that other work gets its turn. */
  readonly busyMilliseconds: number;
}

/** Outcome of a batch of a list that is worked through in its order; a cursor says how far. */
export interface ListBatch<Cursor> {
  /** Why parts of the batch failed. */
  readonly failures: readonly unknown[];
  /** Cursor of its last item, if more may follow. */
  readonly last: Cursor | undefined;
}

/**
 * Starts batches that each continue after the one before, even past items that fail, however many, and start from the
 * beginning again after the last.
 */
export function startListBatches<Cursor>(
  batch: (after: Cursor | undefined) => Promise<ListBatch<Cursor>>,
  terms: BatchTerms,
): Repeated {
  let after: Cursor | undefined;
  async function next(): Promise<boolean> {
    const { failures, last } = await batch(after);
    after = last;
    if (failures.length === 1) throw failures[0];
    if (failures.length > 0) throw new AggregateError(failures, terms.failure);
    return last !== undefined;
  }
  return startBatches(next, terms);
}

/**
 * Starts the first batch soon after the process starts, and another as long as the last one says that there may be more, even
 * if part of it failed ({@link PartFailed}). Then it looks again after a pause, until it is stopped.
 */
export function startBatches(
  batch: (signal: AbortSignal) => Promise<boolean>,
  { log, failure, lookMilliseconds, busyMilliseconds, again = repeat }: BatchTerms,
): Repeated {
  const tell = tellFailure(log, failure, lookMilliseconds);
  let toldAt = Number.NEGATIVE_INFINITY;
  function fail(error: unknown): number {
    const isPart = error instanceof PartFailed;
    if (performance.now() - toldAt >= lookMilliseconds) {
      toldAt = performance.now();
      tell(isPart ? error.cause : error);
    }
    return isPart ? busyMilliseconds : lookMilliseconds;
  }
  return again(
    async (signal) => ((await batch(signal)) ? busyMilliseconds : lookMilliseconds),
    fail,
    soonAfterStart(),
  );
}
