/**
 * Messages between the first process of a service and those that serve, over the channel that Node opens between them. Both
 * run from one installation: a message of another form is a fault, and is ignored.
 */
import type { MetricObjectWithValues, MetricValue } from "prom-client";

/** Questions to a process: those of the operator, and whether it still answers at all. */
export type Question = "readiness" | "metrics" | "life";

/** Messages from the first process. */
export type Order =
  | { readonly kind: "ask"; readonly id: number; readonly question: Question }
  | { readonly kind: "stop"; readonly reason: string };

/** Messages to the first process. Node loses orders that come before a process `hears`. */
export type Report =
  | { readonly kind: "hears" }
  | { readonly kind: "ready" }
  | { readonly kind: "answer"; readonly id: number; readonly answer: unknown };

/** The metrics of one process, in the form that `prom-client` exports. */
export type ProcessFigures = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Whether a value is an order; any other message comes from elsewhere. */
export function isOrder(value: unknown): value is Order {
  return hasKind(value, ["ask", "stop"]);
}

/** Whether a value is a report. */
export function isReport(value: unknown): value is Report {
  return hasKind(value, ["hears", "ready", "answer"]);
}

function hasKind(value: unknown, kinds: readonly string[]): boolean {
  return typeof value === "object" && value !== null && "kind" in value && kinds.includes(String(value.kind));
}
