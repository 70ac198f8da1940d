import { Counter, Gauge, Histogram } from "prom-client";
import { type Repeated, type Round, repeat } from "./lifecycle/repeat.ts";
import type { ProcessMetrics } from "./metrics.ts";

/** `repeat`, or what does the same and counts. */
export type Repeat = (round: Round, fail: (error: unknown) => number, firstPause?: number) => Repeated;

/** Gives the `repeat` of a job whose rounds are counted under its name; names are a closed list of the service's own. */
export type CountJob = (job: string) => Repeat;

/** Adds the rounds of jobs to the figures of a process; once per process. */
export function createJobMetrics({ registry }: Pick<ProcessMetrics, "registry">): CountJob {
  const shape = { labelNames: ["job"] as const, registers: [registry] };
  const rounds = new Counter({
    ...shape,
    name: "job_rounds_total",
    help: "Rounds of a job, by how they ended: done or failed.",
    labelNames: ["job", "outcome"] as const,
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
    const done = rounds.labels({ job, outcome: "done" });
    const failed = rounds.labels({ job, outcome: "failed" });
    const lastSuccess = succeeded.labels({ job });
    const duration = durations.labels({ job });
    lastSuccess.setToCurrentTime();
    const countRound =
      (round: Round): Round =>
      async (signal) => {
        const started = performance.now();
        const pause = await round(signal);
        duration.observe((performance.now() - started) / 1000);
        lastSuccess.setToCurrentTime();
        done.inc();
        return pause;
      };
    const countFailure = (fail: (error: unknown) => number) => (error: unknown) => {
      failed.inc();
      return fail(error);
    };
    return (round, fail, firstPause) => repeat(countRound(round), countFailure(fail), firstPause);
  };
}
