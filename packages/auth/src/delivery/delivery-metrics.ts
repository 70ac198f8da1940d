import type { ProcessMetrics } from "@cobs/service-edge";
import { Counter } from "prom-client";
import { type Deliver, DeliveryFailed, type DeliveryPurpose } from "./deliver.ts";

/** Metrics of the texts for PSUs. */
export interface DeliveryMetrics {
  /** Wraps a delivery so that each try is counted. */
  count(deliver: Deliver): Deliver;
  /** Counts a notice whose time is over and which nobody got. */
  gaveUpNotice(): void;
}

type Outcome = "taken" | "failed" | "given_up";

const SERIES: readonly (readonly [DeliveryPurpose, Outcome])[] = [
  ["payment_approval", "taken"],
  ["payment_approval", "failed"],
  ["notice", "taken"],
  ["notice", "failed"],
  ["notice", "given_up"],
];

/** Adds the texts for PSUs to the metrics of a process; once per process. */
export function createDeliveryMetrics({ registry }: Pick<ProcessMetrics, "registry">): DeliveryMetrics {
  const deliveries = new Counter({
    name: "deliveries_total",
    help: "Attempts to have a text delivered to a PSU: taken or failed; and notices given up after three days.",
    labelNames: ["purpose", "outcome"] as const,
    registers: [registry],
  });
  const add = (purpose: DeliveryPurpose, outcome: Outcome, count = 1) =>
    deliveries.inc({ purpose, outcome }, count);
  // From the start of the process, so that its first failure shows as an increase.
  for (const [purpose, outcome] of SERIES) add(purpose, outcome, 0);
  return {
    count: (deliver) => async (delivered) => {
      try {
        await deliver(delivered);
        add(delivered.purpose, "taken");
      } catch (error) {
        if (error instanceof DeliveryFailed) add(delivered.purpose, "failed");
        throw error;
      }
    },
    gaveUpNotice: () => add("notice", "given_up"),
  };
}
