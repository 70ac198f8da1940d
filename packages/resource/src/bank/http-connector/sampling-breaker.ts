import type { Clock } from "@cobs/service-edge";
import { CircuitState, type IBreaker } from "cockatiel";

/** How many failures are too many. */
export interface SamplingTerms {
  /** Least number of calls to judge by. */
  readonly leastCalls: number;
  /** Share of them that may fail, from 0 to 1. */
  readonly mayFail: number;
  /** How long a call counts. */
  readonly lastingMilliseconds: number;
}

/** Calls that ended within the same tenth of that time. */
interface Sample {
  readonly begunAt: number;
  calls: number;
  failures: number;
}

const SAMPLES = 10;

/**
 * Judges by the calls that ended in the last `lastingMilliseconds` of the monotonic clock. The library's own breaker advances
 * one sample per call, however long the pause before it, so it may count calls that are hours old.
 */
export function createSamplingBreaker(
  { leastCalls, mayFail, lastingMilliseconds }: SamplingTerms,
  clock: Pick<Clock, "monotonicMilliseconds">,
): IBreaker {
  let samples: Sample[] = [];

  function count(failures: 0 | 1): void {
    const now = clock.monotonicMilliseconds();
    samples = samples.filter(({ begunAt }) => now - begunAt < lastingMilliseconds);
    let latest = samples.at(-1);
    if (latest === undefined || now - latest.begunAt >= lastingMilliseconds / SAMPLES) {
      latest = { begunAt: now, calls: 0, failures: 0 };
      samples.push(latest);
    }
    latest.calls += 1;
    latest.failures += failures;
  }

  function failsTooOften(): boolean {
    const calls = samples.reduce((sum, sample) => sum + sample.calls, 0);
    const failures = samples.reduce((sum, sample) => sum + sample.failures, 0);
    return calls >= leastCalls && failures > mayFail * calls;
  }

  return {
    // The library sets it for a circuit restored from elsewhere; counts from there are not taken over.
    state: undefined,
    success: (state) => {
      if (state === CircuitState.HalfOpen) samples = [];
      count(0);
    },
    failure: (state) => {
      count(1);
      return state !== CircuitState.Closed || failsTooOften();
    },
  };
}
