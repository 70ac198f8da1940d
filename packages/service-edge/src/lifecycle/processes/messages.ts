/**
 * What the first process of a service and those that serve say to each other, over the channel that Node opens between
 * them. Both run from one installation: a message of another form is a fault, and is passed over.
 */
import type { MetricObjectWithValues, MetricValue } from "prom-client";

/** What the operator wants to know, and whether a process still answers anything. */
export type Question = "readiness" | "metrics" | "life";

/** From the first process. */
export type Order =
  | { readonly kind: "ask"; readonly id: number; readonly question: Question }
  | { readonly kind: "stop"; readonly reason: string };

/** To the first process. Node loses orders that come before a process `hears`. */
export type Report =
  | { readonly kind: "hears" }
  | { readonly kind: "ready" }
  | { readonly kind: "answer"; readonly id: number; readonly answer: unknown };

/** The metrics of one process, as `prom-client` hands them on. */
export type ProcessFigures = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Whether a value is an order; anything else comes from somewhere else. */
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
