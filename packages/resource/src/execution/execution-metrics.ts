import type { ProcessMetrics, Queries } from "@cobs/service-edge";
import { Counter, Gauge } from "prom-client";
import { countWaitingPayments } from "./waiting-payments-postgres.ts";

/**
 * Outcome of a step of a payment:
 * - `accepted`, `completed`, `rejected`: as the bank says
 * - `refused`: it was not the order that was approved, and was not sent
 * - `unknown`: no answer, or one that could not be stored; it is looked up at the bank
 * - `forgotten`: the bank no longer knows a payment that it has accepted; it is asked again, and never sent again
 * - `restored`: its outbox row was missing, and was written again; it is looked up at the bank
 */
export type ExecutionOutcome =
  | "accepted"
  | "completed"
  | "rejected"
  | "refused"
  | "unknown"
  | "forgotten"
  | "restored";

const ALERTED: readonly ExecutionOutcome[] = ["forgotten", "restored"];

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
    help: "Steps of approved payments, by what became of them.",
    labelNames: ["outcome"],
    registers,
  });
  // An alert sees the first one only if there was a figure before it.
  for (const outcome of ALERTED) executions.inc({ outcome }, 0);
  const oldest = new Gauge({
    name: "outbox_oldest_age_seconds",
    help: "Since when the bank has not answered for an approved payment, of the one that waits longest.",
    registers,
  });
  new Gauge({
    name: "outbox_waiting",
    help: "Approved payments that the bank has not answered for.",
    registers,
    // Figures of a database that cannot be asked stay as they were.
    async collect() {
      const waiting = await countWaitingPayments(database).catch(() => undefined);
      if (waiting === undefined) return;
      this.set(waiting.count);
      oldest.set(waiting.oldestSeconds);
    },
  });
  return { count: (outcome) => executions.inc({ outcome }) };
}
