import type { ProcessMetrics } from "@cobs/service-edge";
import { Counter, Gauge } from "prom-client";
import type { Actor } from "./act.ts";
import { AUDIT_ACTIONS } from "./audit-entry.ts";

const ACTORS = ["tpp", "operator", "psu", "server"] as const satisfies readonly Actor["kind"][];

/** Creates the metrics of what is recorded and how far it is sealed; once per process. */
export function createSealingMetrics({ registry }: Pick<ProcessMetrics, "registry">) {
  const registers = [registry];
  const sealed = new Counter({
    name: "audit_sealed_total",
    help: "Audit entries sealed by this process, by action and kind of actor; only one process seals each entry.",
    labelNames: ["action", "actor"] as const,
    registers,
  });
  // A counter that appeared with its first event would show no increase for it.
  for (const action of AUDIT_ACTIONS) for (const actor of ACTORS) sealed.inc({ action, actor }, 0);
  return {
    unsealed: new Gauge({
      name: "audit_unsealed_seconds",
      help: "Age of the oldest unsealed audit entry; 0 if all are sealed.",
      registers,
    }),
    sealed,
    failures: new Counter({
      name: "audit_seal_failures_total",
      help: "Rounds in which this process failed to seal.",
      registers,
    }),
  };
}
