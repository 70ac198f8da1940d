import type { ProcessMetrics } from "@cobs/service-edge";
import { Counter } from "prom-client";

/** Metrics of the recording of consent uses. */
export interface ConsentUseMetrics {
  /** Counts uses that found no room while the database was away or slow, or that it refused. */
  lost(uses: number): void;
}

/** Adds the metrics to those of a process; once per process. */
export function createConsentUseMetrics({ registry }: Pick<ProcessMetrics, "registry">): ConsentUseMetrics {
  const lost = new Counter({
    name: "consent_uses_lost_total",
    help: "Uses of consents dropped for lack of room while the database was down or slow, or refused by it: the last use shown is an earlier one.",
    registers: [registry],
  });
  return { lost: (uses) => lost.inc(uses) };
}
