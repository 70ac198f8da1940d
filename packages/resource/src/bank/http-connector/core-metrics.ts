import type { ProcessMetrics } from "@cobs/service-edge";
import { Counter, Gauge, Histogram } from "prom-client";
import { CORE_UNAVAILABLE_CODES } from "../core-unavailable.ts";
import { CORE_OPERATIONS } from "./core-questions.ts";

/** How a call ended: with an answer, with a refusal of the contract, or with a failure. */
const OUTCOMES = ["answered", "refused", ...CORE_UNAVAILABLE_CODES] as const;

/** One of {@link OUTCOMES}. */
export type CoreOutcome = (typeof OUTCOMES)[number];

/** Counts and times calls to the core system. */
export interface CoreMetrics {
  observe(call: {
    readonly operation: string;
    readonly outcome: CoreOutcome;
    readonly seconds: number;
  }): void;
}

/** Adds the core system's metrics to those of a process; call once per process. */
export function createCoreMetrics(
  { registry }: Pick<ProcessMetrics, "registry">,
  now: {
    /** State of each circuit, by the label `operation`. */
    readonly circuits: () => readonly (readonly [operation: string, isOpen: boolean])[];
    readonly waiting: () => number;
  },
): CoreMetrics {
  const registers = [registry];
  const calls = new Counter({
    name: "core_calls_total",
    help: "Questions to the core system, by operation and outcome.",
    labelNames: ["operation", "outcome"],
    registers,
  });
  const seconds = new Histogram({
    name: "core_call_seconds",
    help: "Total time of a question to the core system, including waiting and a second attempt.",
    labelNames: ["operation"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5],
    registers,
  });
  new Gauge({
    name: "core_circuit_open",
    help: "1 while the core system is left alone or tried again for all PSUs, for one kind of question or for all; at most five minutes if nobody asks.",
    labelNames: ["operation"],
    registers,
    collect() {
      for (const [operation, isOpen] of now.circuits()) this.set({ operation }, isOpen ? 1 : 0);
    },
  });
  new Gauge({
    name: "core_calls_waiting",
    help: "Questions waiting for their turn.",
    registers,
    collect() {
      this.set(now.waiting());
    },
  });

  // Starts each counter at zero, because the first event shows as growth only from an earlier value.
  for (const operation of CORE_OPERATIONS)
    for (const outcome of OUTCOMES) calls.inc({ operation, outcome }, 0);
  return {
    observe: ({ operation, outcome, seconds: taken }) => {
      calls.inc({ operation, outcome });
      seconds.observe({ operation }, taken);
    },
  };
}
