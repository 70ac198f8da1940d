import type { ProcessMetrics } from "@cobs/service-edge";
import { Counter } from "prom-client";
import { LIMIT_NAMES, type LimitName, type StandingLimitName } from "./limit.ts";

/** Metrics of the limits of this process. */
export interface RateLimitMetrics {
  limited(limit: LimitName | StandingLimitName): void;
  uncounted(): void;
}

/** Creates the metrics of the limits; once per process. */
export function createRateLimitMetrics({ registry }: Pick<ProcessMetrics, "registry">): RateLimitMetrics {
  const registers = [registry];
  const limited = new Counter({
    name: "rate_limited_total",
    help: "Calls refused because there were too many.",
    labelNames: ["limit"] as const,
    registers,
  });
  const uncounted = new Counter({
    name: "rate_limit_uncounted_total",
    help: "Calls not counted, because the store of the limits did not answer.",
    registers,
  });
  // The first refusal shows as growth only if the counter existed before.
  for (const limit of [...LIMIT_NAMES, "par_waiting"]) limited.inc({ limit }, 0);
  return { limited: (limit) => limited.inc({ limit }), uncounted: () => uncounted.inc() };
}
