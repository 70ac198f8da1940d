import { Counter, Gauge, Histogram } from "prom-client";
import type { ProcessMetrics } from "../metrics/process-metrics.ts";

/** Metrics of the connection to Redis. */
export interface RedisMetrics {
  connected(is: boolean): void;
  /** Counts one run of a script, to its answer or its failure. */
  ran(script: string, run: { readonly seconds: number; readonly answered: boolean }): void;
}

/** Adds the metrics of Redis to those of a process; once per process. */
export function createRedisMetrics({ registry }: Pick<ProcessMetrics, "registry">): RedisMetrics {
  const registers = [registry];
  const up = new Gauge({
    name: "redis_up",
    help: "Whether this process is connected to Redis.",
    registers,
  });
  const durations = new Histogram({
    name: "redis_script_duration_seconds",
    help: "Time until Redis answers a script.",
    labelNames: ["script"] as const,
    registers,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2],
  });
  const failures = new Counter({
    name: "redis_failures_total",
    help: "Scripts that Redis did not answer in time, or refused.",
    labelNames: ["script"] as const,
    registers,
  });
  /** Scripts whose failures are shown, from 0 on, so that the first one counts as growth. */
  const begun = new Set<string>();
  up.set(0);
  return {
    connected: (is) => up.set(is ? 1 : 0),
    ran: (script, { seconds, answered }) => {
      if (!begun.has(script)) failures.inc({ script }, 0);
      begun.add(script);
      if (answered) durations.observe({ script }, seconds);
      else failures.inc({ script });
    },
  };
}
