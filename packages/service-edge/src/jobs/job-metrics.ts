import { Counter, Gauge, Histogram } from "prom-client";
import type { Log } from "../log/log.ts";
import type { ProcessMetrics } from "../metrics/process-metrics.ts";
import { type Repeated, type Round, repeat } from "./repeat.ts";

/** `repeat`, or what does the same, counts, and tells the log why a job does not get on. */
export type Repeat = (round: Round, fail: (error: unknown) => number, firstPause?: number) => Repeated;

/** Gives the `repeat` of a job whose rounds are counted under its name; names are a closed list of the service's own. */
export type CountJob = (job: string) => Repeat;

/**
 * Adds the rounds of jobs to the figures of a process; once per process. The first of several failures in a row is in the
 * log with its error, whatever the job itself says of it, and so is the round that is done after them.
 */
export function createJobMetrics({ registry }: Pick<ProcessMetrics, "registry">, log: Log): CountJob {
  // Not `job`: that label Prometheus gives itself, and renames ours.
  const shape = { labelNames: ["name"] as const, registers: [registry] };
  const rounds = new Counter({
    ...shape,
    name: "job_rounds_total",
    help: "Rounds of a job, by how they ended: done or failed.",
    labelNames: ["name", "outcome"] as const,
  });
  const succeeded = new Gauge({
    ...shape,
    name: "job_last_success_timestamp_seconds",
    help: "When a job was last done without a failure; from the start of the process on.",
  });
  const durations = new Histogram({
    ...shape,
    name: "job_duration_seconds",
    help: "Time of one round of a job; some wait in it for something to do.",
    buckets: [0.01, 0.1, 1, 10],
  });
  return (job) => {
    const done = rounds.labels({ name: job, outcome: "done" });
    const failed = rounds.labels({ name: job, outcome: "failed" });
    const lastSuccess = succeeded.labels({ name: job });
    const duration = durations.labels({ name: job });
    // The first failure is growth only from a figure before it.
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
        if (fails) log.info({ job }, "a job is done again");
        fails = false;
        return pause;
      };
    const countFailure = (fail: (error: unknown) => number) => (error: unknown) => {
      failed.inc();
      if (!fails) log.warn({ job, error }, "a job failed; it is tried again");
      fails = true;
      return fail(error);
    };
    return (round, fail, firstPause) => repeat(countRound(round), countFailure(fail), firstPause);
  };
}
