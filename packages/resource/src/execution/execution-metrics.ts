import type { ProcessMetrics, Queries } from "@cobs/service-edge";
import { Counter, Gauge } from "prom-client";
import { countWaitingPayments, type WaitingPayments } from "./waiting-payments-postgres.ts";

/**
 * Outcomes of a step of a payment:
 * - `accepted`, `completed`, `rejected`: as the bank says
 * - `refused`: it was not the order that was approved, or was not approved at all, and was not sent
 * - `mismatched`: the bank rejected it because it has another order under its id, or did not receive the approved one
 * - `unknown`: no answer, or one that could not be stored; it is looked up at the bank
 * - `forgotten`: the bank no longer knows a payment that it has accepted; it is asked again, and never sent again
 * - `late`: an accepted payment has not ended in time (`isLate`); it is asked about again
 * - `contradicted`: the bank has rejected it, but executes it, as it says a minute or an hour later
 * - `restored`: its outbox row was missing, and was written again; it is looked up at the bank
 */
const OUTCOMES = [
  "accepted",
  "completed",
  "rejected",
  "refused",
  "mismatched",
  "unknown",
  "forgotten",
  "late",
  "contradicted",
  "restored",
] as const;

/** One of {@link OUTCOMES}. */
export type ExecutionOutcome = (typeof OUTCOMES)[number];

/** Counts outcomes. */
export interface ExecutionMetrics {
  count(outcome: ExecutionOutcome): void;
}

/** Registers the metrics of execution: outcomes, and payments that still wait for the bank; once per process. */
export function createExecutionMetrics(
  { registry }: Pick<ProcessMetrics, "registry">,
  database: Queries,
): ExecutionMetrics {
  const registers = [registry];
  const executions = new Counter({
    name: "executions_total",
    help: "Steps of approved payments, by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  // An alert sees the first event only if there was a value before it.
  for (const outcome of OUTCOMES) executions.inc({ outcome }, 0);
  // Both gauges of one collection share a question.
  let asking: Promise<WaitingPayments | undefined> | undefined;
  const askOnce = () => {
    asking ??= countWaitingPayments(database)
      // If the database does not answer, the gauges keep their values.
      .catch(() => undefined)
      .finally(() => {
        asking = undefined;
      });
    return asking;
  };
  const gauge = (name: string, help: string, figureOf: (waiting: WaitingPayments) => number) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const waiting = await askOnce();
        if (waiting !== undefined) this.set(figureOf(waiting));
      },
    });
  gauge(
    "outbox_oldest_age_seconds",
    "Age of the approved payment that has waited longest for the bank's answer.",
    ({ oldestSeconds }) => oldestSeconds,
  );
  gauge("outbox_waiting", "Approved payments that wait for the bank's answer.", ({ count }) => count);
  return { count: (outcome) => executions.inc({ outcome }) };
}
