import type { ProcessMetrics } from "@cobs/service-edge";
import { Counter } from "prom-client";
import { type Deliver, DeliveryFailed, type DeliveryPurpose } from "./deliver.ts";

/** What an operator sees of the texts for PSUs. */
export interface DeliveryMetrics {
  /** The same delivery, with each try counted. */
  count(deliver: Deliver): Deliver;
  /** A notice whose time is over, and which nobody got. */
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

/** Adds the texts for PSUs to the figures of a process; once per process. */
export function createDeliveryMetrics({ registry }: Pick<ProcessMetrics, "registry">): DeliveryMetrics {
  const deliveries = new Counter({
    name: "deliveries_total",
    help: "Tries to have a text delivered to a PSU: taken, or failed; and notices that were given up after three days.",
    labelNames: ["purpose", "outcome"] as const,
    registers: [registry],
  });
  const add = (purpose: DeliveryPurpose, outcome: Outcome, count = 1) =>
    deliveries.inc({ purpose, outcome }, count);
  // From the start of the process on, so that its first failure is seen to come.
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
