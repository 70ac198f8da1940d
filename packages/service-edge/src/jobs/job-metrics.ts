import { Counter, Gauge, Histogram } from "prom-client";
import type { Log } from "../log/log.ts";
import type { ProcessMetrics } from "../metrics/process-metrics.ts";
import { type Repeated, type Round, repeat } from "./repeat.ts";

/** `repeat`, or a wrapper that also counts rounds and logs why a job makes no progress. */
export type Repeat = (round: Round, fail: (error: unknown) => number, firstPause?: number) => Repeated;

/** Returns a `repeat` that counts a job's rounds under its name; the service has a closed list of names. */
export type CountJob = (job: string) => Repeat;

/**
 * Adds the rounds of jobs to the metrics of a process; once per process. Logs the first of several failures in a row with its
 * error, whatever the job itself logs, and the first round that succeeds after them.
 */
export function createJobMetrics({ registry }: Pick<ProcessMetrics, "registry">, log: Log): CountJob {
  // Not `job`: Prometheus sets that label itself, and would rename ours.
  const shape = { labelNames: ["name"] as const, registers: [registry] };
  const rounds = new Counter({
    ...shape,
    name: "job_rounds_total",
    help: "Rounds of a job, by outcome: done or failed.",
    labelNames: ["name", "outcome"] as const,
  });
  const succeeded = new Gauge({
    ...shape,
    name: "job_last_success_timestamp_seconds",
    help: "When a job last succeeded; initially the start of the process.",
  });
  const durations = new Histogram({
    ...shape,
    name: "job_duration_seconds",
    help: "Time of one round of a job; in some jobs it includes waiting for work.",
    buckets: [0.01, 0.1, 1, 10],
  });
  return (job) => {
    const done = rounds.labels({ name: job, outcome: "done" });
    const failed = rounds.labels({ name: job, outcome: "failed" });
    const lastSuccess = succeeded.labels({ name: job });
    const duration = durations.labels({ name: job });
    // Starts at 0, because the first failure counts as an increase only after an earlier figure.
    for (const outcome of [done, failed]) outcome.inc(0);
    let fails = false;
    lastSuccess.setToCurrentTime();
    const countRound =
      (round: Round): Round =>
      async (signal) => {
        const started = performance.now();
        const pause = await round(signal);
        duration.observe((performance.now() - started) / 1000);
        lastSuccess.setToCurrentTime();
        done.inc();
        if (fails) log.info({ job }, "a job succeeds again");
        fails = false;
        return pause;
      };
    const countFailure = (fail: (error: unknown) => number) => (error: unknown) => {
      failed.inc();
      if (!fails) log.warn({ job, error }, "a job failed; it will be retried");
      fails = true;
      return fail(error);
    };
    return (round, fail, firstPause) => repeat(countRound(round), countFailure(fail), firstPause);
  };
}
