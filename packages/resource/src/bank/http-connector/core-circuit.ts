import type { Clock } from "@cobs/service-edge";
import { BrokenCircuitError, CircuitState, circuitBreaker, ExponentialBackoff, handleWhen } from "cockatiel";
import { CoreUnavailable, type CoreUnavailableCode } from "../core-unavailable.ts";
import { createSamplingBreaker, type SamplingTerms } from "./sampling-breaker.ts";

/** Leaves alone what fails, and finds out by itself when it is well again. */
export interface CoreCircuit {
  /** Runs a task, or refuses with `core_circuit_open` at once; while one call tries, the others are refused too. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /**
   * Whether it is left alone, or tried at this moment; after its pause too, until a call tries it. Where none comes, nobody
   * knows any more after five minutes, and it is no longer.
   */
  readonly isOpen: boolean;
}

/** What a circuit is for, and what it is told. */
export interface CircuitParts {
  /** Which ends of a call count against it. */
  readonly counted: ReadonlySet<CoreUnavailableCode>;
  /** Which say nothing of it, and are not a try that went well; every other end speaks for it. */
  readonly silent: ReadonlySet<CoreUnavailableCode>;
  /** It is left alone from now on; a try that fails says so again. */
  readonly onBreak: () => void;
  readonly onReset: () => void;
  readonly clock: Pick<Clock, "monotonicMilliseconds">;
}

/** More than half of the calls of the last ten seconds, of at least five. */
const FAILING: SamplingTerms = { leastCalls: 5, mayFail: 0.5, lastingMilliseconds: 10_000 };
/** The pause before a try, doubled with each that fails, with jitter. */
const PAUSES = { initialDelay: 1_000, maxDelay: 10_000 };
/** How long a failure says something of how it is. */
const FAILURE_SAYS_MILLISECONDS = 300_000;
/** As the library keeps a circuit whose pause is over. */
const TO_BE_TRIED = { ownState: { value: CircuitState.Open, openedAt: 0, attemptNo: 1 } };

/** Makes a circuit, closed. */
export function createCoreCircuit({ counted, silent, onBreak, onReset, clock }: CircuitParts): CoreCircuit {
  const isFailure = (error: Error): boolean =>
    error instanceof CoreUnavailable &&
    (counted.has(error.code) || (silent.has(error.code) && breaker.state === CircuitState.HalfOpen));
  let brokenAt = 0;
  let lastBroken = 0;
  const makeBreaker = (initialState?: typeof TO_BE_TRIED) => {
    const made = circuitBreaker(handleWhen(isFailure), {
      breaker: createSamplingBreaker(FAILING, clock),
      halfOpenAfter: new ExponentialBackoff(PAUSES),
      initialState,
    });
    made.onBreak(() => {
      brokenAt = Date.now();
      lastBroken = clock.monotonicMilliseconds();
      onBreak();
    });
    made.onReset(onReset);
    return made;
  };
  let breaker = makeBreaker();

  /** What speaks for it is a success to the breaker; where it was thrown, it is thrown behind it. */
  async function endOf<T>(task: () => Promise<T>): Promise<() => T> {
    try {
      const value = await task();
      return () => value;
    } catch (error) {
      if (error instanceof CoreUnavailable && (counted.has(error.code) || silent.has(error.code)))
        throw error;
      return () => {
        throw error;
      };
    }
  }

  return {
    run: async (task) => {
      // The library counts a pause on the clock of the machine, which may be set back: it would last until the
      // clock is there again.
      if (breaker.state === CircuitState.Open && Date.now() < brokenAt) breaker = makeBreaker(TO_BE_TRIED);
      if (breaker.state === CircuitState.HalfOpen) throw leftAlone();
      const end = await breaker.execute(() => endOf(task)).catch(refuseWhenOpen);
      return end();
    },
    get isOpen() {
      if (breaker.state !== CircuitState.Open) return breaker.state === CircuitState.HalfOpen;
      return clock.monotonicMilliseconds() - lastBroken < FAILURE_SAYS_MILLISECONDS;
    },
  };
}

function refuseWhenOpen(error: unknown): never {
  throw error instanceof BrokenCircuitError ? leftAlone() : error;
}

function leftAlone(): CoreUnavailable {
  return new CoreUnavailable("core_circuit_open", "it is left alone after too many failures");
}
