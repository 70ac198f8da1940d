import type { Clock } from "@cobs/service-edge";
import { BrokenCircuitError, CircuitState, circuitBreaker, ExponentialBackoff, handleWhen } from "cockatiel";
import { CoreUnavailable, type CoreUnavailableCode } from "../core-unavailable.ts";
import { createPartyBreaker, type PartyTerms } from "./party-breaker.ts";
import { createSamplingBreaker, type SamplingTerms } from "./sampling-breaker.ts";

/** A circuit breaker: stops calls that keep failing, and tries by itself whether they work again. */
export interface CoreCircuit {
  /**
   * Runs a task, or refuses at once with `core_circuit_open`. While one call tries after a pause, the others are refused too.
   * `party` is whom it is about, if anybody.
   */
  run<T>(task: () => Promise<T>, party?: string): Promise<T>;
  /**
   * Whether calls are stopped or one is being tried; it stays true after the pause until a call tries. If none comes for five
   * minutes, the state is out of date and this is false.
   */
  readonly isOpen: boolean;
}

/** What counts for a circuit, and who is told of its changes. */
export interface CircuitParts {
  /**
   * What is counted. With parties, one that fails by itself never stops the others, however often it fails; and while its failure
   * counts, it does not try after a pause.
   */
  readonly countsBy: "calls" | "parties";
  /** Outcomes that count as failures. */
  readonly counted: ReadonlySet<CoreUnavailableCode>;
  /** Outcomes that say nothing about the circuit and do not make a try succeed; every other outcome is a success. */
  readonly silent: ReadonlySet<CoreUnavailableCode>;
  /** Called when calls are stopped, and again after each try that fails. */
  readonly onBreak?: () => void;
  readonly onReset?: () => void;
  /** Detail of a refusal, for the log. */
  readonly detail: string;
  readonly clock: Pick<Clock, "monotonicMilliseconds">;
}

/** Opens on failure of more than half of the calls of the last ten seconds, with at least five calls. */
const FAILING: SamplingTerms = { leastCalls: 5, mayFail: 0.5, lastingMilliseconds: 10_000 };
/** Opens when more than half of the parties failed last that were asked about in the last ten seconds, at least five. */
const FAILING_PARTIES: PartyTerms = { leastParties: 5, mayFail: 0.5, lastingMilliseconds: 10_000 };
/** The pause before a try, doubled after each that fails, with jitter. */
const PAUSES = { initialDelay: 1_000, maxDelay: 10_000 };
/** How long a failure still says something about the present. */
const FAILURE_SAYS_MILLISECONDS = 300_000;
/** The library's state of a circuit whose pause is over. */
const TO_BE_TRIED = { ownState: { value: CircuitState.Open, openedAt: 0, attemptNo: 1 } };

/** Creates a closed circuit. */
export function createCoreCircuit(parts: CircuitParts): CoreCircuit {
  const { counted, silent, countsBy, clock, onBreak, onReset, detail } = parts;
  const parties = countsBy === "parties" ? createPartyBreaker(FAILING_PARTIES, clock) : undefined;
  const isFailure = (error: Error): boolean =>
    error instanceof CoreUnavailable &&
    (counted.has(error.code) || (silent.has(error.code) && breaker.state === CircuitState.HalfOpen));
  let brokenAt = { machine: 0, monotonic: 0 };
  const makeBreaker = (initialState?: typeof TO_BE_TRIED) => {
    const made = circuitBreaker(handleWhen(isFailure), {
      breaker: parties ?? createSamplingBreaker(FAILING, clock),
      halfOpenAfter: new ExponentialBackoff(PAUSES),
      initialState,
    });
    made.onBreak(() => {
      brokenAt = { machine: Date.now(), monotonic: clock.monotonicMilliseconds() };
      onBreak?.();
    });
    made.onReset(() => onReset?.());
    return made;
  };
  let breaker = makeBreaker();

  /**
   * Runs a task so that every outcome but a failure is a success to the breaker; other errors are thrown after it has counted.
   */
  async function endOf<T>(task: () => Promise<T>, party: string | undefined): Promise<() => T> {
    try {
      const value = await task();
      parties?.note({ party, failed: false });
      return () => value;
    } catch (error) {
      if (error instanceof CoreUnavailable && silent.has(error.code)) throw error;
      const failed = error instanceof CoreUnavailable && counted.has(error.code);
      parties?.note({ party, failed });
      if (failed) throw error;
      return () => {
        throw error;
      };
    }
  }

  /** A party that fails by itself would lengthen the pause of all. */
  const isKeptFromTrying = (party: string | undefined): boolean =>
    breaker.state === CircuitState.Open && party !== undefined && parties?.isFailing(party) === true;
  const leftAlone = () => new CoreUnavailable("core_circuit_open", detail);
  const refuseWhenOpen = (error: unknown): never => {
    throw error instanceof BrokenCircuitError ? leftAlone() : error;
  };

  return {
    run: async (task, party) => {
      // The library measures the pause by the machine's clock, which may be set back; the pause would then last until the
      // clock has caught up.
      if (breaker.state === CircuitState.Open && Date.now() < brokenAt.machine)
        breaker = makeBreaker(TO_BE_TRIED);
      if (breaker.state === CircuitState.HalfOpen || isKeptFromTrying(party)) throw leftAlone();
      const end = await breaker.execute(() => endOf(task, party)).catch(refuseWhenOpen);
      return end();
    },
    get isOpen() {
      if (breaker.state !== CircuitState.Open) return breaker.state === CircuitState.HalfOpen;
      return clock.monotonicMilliseconds() - brokenAt.monotonic < FAILURE_SAYS_MILLISECONDS;
    },
  };
}
