import type { Clock } from "@cobs/service-edge";
import { CircuitState, type IBreaker } from "cockatiel";

/** When too much fails. */
export interface SamplingTerms {
  /** How many calls there must have been. */
  readonly leastCalls: number;
  /** The part of them that may fail, from 0 to 1. */
  readonly mayFail: number;
  /** For how long a call counts. */
  readonly lastingMilliseconds: number;
}

/** Calls that ended within the same tenth of the time for which they count. */
interface Sample {
  readonly begunAt: number;
  calls: number;
  failures: number;
}

const SAMPLES = 10;

/**
 * Judges by the ends of the last calls alone, those of the time before now on the monotonic clock. The one of the library goes
 * on by one sample at each call, however long there was none: what it counts may be hours old.
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
    // The library sets it where a circuit goes on from elsewhere: none of what it had counted there is taken over.
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
