import type { ProcessMetrics } from "@cobs/service-edge";
import { Counter } from "prom-client";

/** What an operator sees of the uses of consents. */
export interface ConsentUseMetrics {
  /** A use found no room among those that wait for the database. */
  lost(): void;
}

/** Adds the uses of consents to the figures of a process; once per process. */
export function createConsentUseMetrics({ registry }: Pick<ProcessMetrics, "registry">): ConsentUseMetrics {
  const lost = new Counter({
    name: "consent_uses_lost_total",
    help: "Uses of consents that found no room while the database was away or slow: their last use is shown as an earlier one.",
    registers: [registry],
  });
  return { lost: () => lost.inc() };
}
