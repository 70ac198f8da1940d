import type { ProcessMetrics } from "@cobs/service-edge";
import { Counter } from "prom-client";

/** Metrics of the epochs of Redis. */
export interface EpochMetrics {
  turned(): void;
}

/** Creates the metrics of the epochs of Redis; once per process. */
export function createEpochMetrics({ registry }: Pick<ProcessMetrics, "registry">): EpochMetrics {
  const turns = new Counter({
    name: "redis_epochs_total",
    help: "New epochs begun by this process because Redis lost data or an operator ordered it.",
    registers: [registry],
  });
  return { turned: () => turns.inc() };
}
