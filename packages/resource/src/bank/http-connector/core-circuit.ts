import type { Log } from "@cobs/service-edge";
import {
  BrokenCircuitError,
  CircuitState,
  circuitBreaker,
  ExponentialBackoff,
  handleAll,
  SamplingBreaker,
} from "cockatiel";
import { CoreUnavailable, type CoreUnavailableCode } from "./core-unavailable.ts";

/** Leaves a core system alone that fails, and finds out by itself when it is well again. */
export interface CoreCircuit {
  /** Runs a task, or refuses with `core_circuit_open` at once. While one call tries, the others wait for how it ends. */
  run<T>(task: () => Promise<T>): Promise<T>;
  readonly isOpen: boolean;
}

/** Half of the calls of the last ten seconds, and at least five of them. */
const FAILING = { threshold: 0.5, duration: 10_000, minimumRps: 0.5 };
/** The pause before a try, doubled with each that fails, with jitter. */
const PAUSES = { initialDelay: 1_000, maxDelay: 10_000 };

/**
 * What says that the core system as a whole is not well. An answer that is wrong in what it says is none of these: one
 * account with one bad entry must not close the way to all others, and a refusal costs nobody anything.
 */
const COUNTED: ReadonlySet<CoreUnavailableCode> = new Set<CoreUnavailableCode>([
  "core_unreachable",
  "core_timed_out",
  "answer_cut",
  "answer_throttled",
  "answer_status",
]);

/** Makes the circuit of one core system, closed. */
export function createCoreCircuit(log: Log): CoreCircuit {
  const breaker = circuitBreaker(handleAll, {
    breaker: new SamplingBreaker(FAILING),
    halfOpenAfter: new ExponentialBackoff(PAUSES),
  });
  breaker.onBreak(() => log.error("the core system fails; it is left alone for a moment"));
  breaker.onReset(() => log.info("the core system answers again"));
  return {
    run: async (task) => {
      const end = await breaker.execute(() => endOf(task)).catch(refuseWhenOpen);
      return end();
    },
    get isOpen() {
      return breaker.state !== CircuitState.Closed;
    },
  };
}

/** What does not count as a failure is a success to the breaker, and is thrown behind it. */
async function endOf<T>(task: () => Promise<T>): Promise<() => T> {
  try {
    const value = await task();
    return () => value;
  } catch (error) {
    if (error instanceof CoreUnavailable && COUNTED.has(error.code)) throw error;
    return () => {
      throw error;
    };
  }
}

function refuseWhenOpen(error: unknown): never {
  if (!(error instanceof BrokenCircuitError)) throw error;
  throw new CoreUnavailable("core_circuit_open", "it is left alone after too many failures");
}
