import type { Log } from "../log/log.ts";
import type { Repeat } from "./job-metrics.ts";
import { PartFailed } from "./part-failed.ts";
import { type Repeated, repeat, soonAfterStart } from "./repeat.ts";
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
  /** Until it looks again, when nothing is left or a batch has failed; and so often at most the log is told of failures. */
  readonly lookMilliseconds: number;
  /** Between two batches, so that others get their turn. */
  readonly busyMilliseconds: number;
}

/** What became of a batch of what is gone through place by place. */
export interface PlacedBatch<Place> {
  /** Why some of it could not be done. */
  readonly failures: readonly unknown[];
  /** The place of its last one, where there may be more behind it. */
  readonly last: Place | undefined;
}

/**
 * The same with batches that go on behind the one before: behind those that cannot be done too, however many they are, and from the
 * front again after the last.
 */
export function startPlacedBatches<Place>(
  batch: (after: Place | undefined) => Promise<PlacedBatch<Place>>,
  terms: BatchTerms,
): Repeated {
  let after: Place | undefined;
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
 * Does a batch soon after the start of the process, the next one as long as the one before says that there may be more, also when
 * a part of it has failed ({@link PartFailed}), and looks again after a while, until it is stopped.
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
