import { Gauge } from "prom-client";
import type { Lifecycle } from "../lifecycle/lifecycle.ts";
import type { ReadinessCheck } from "../operator-listener.ts";
import type { ProcessMetrics } from "./process-metrics.ts";

/** Adds to the metrics of a process the checks of `/readyz`, and whether it is draining; once per process. */
export function addReadinessMetrics(
  { registry }: Pick<ProcessMetrics, "registry">,
  lifecycle: Pick<Lifecycle, "running">,
  readiness: ReadinessCheck,
): void {
  const registers = [registry];
  new Gauge({
    name: "service_ready",
    help: "1 for each named check of readiness that passes, else 0.",
    labelNames: ["check"] as const,
    registers,
    // A starting process has other checks than a started one, so a check that is gone must not stay at its last value.
    async collect() {
      // All metrics are read one after the other before anything is awaited, so the questions asked here appear in none of
      // them.
      await Promise.resolve();
      const checks = await readiness().catch(() => ({ readiness: false }));
      this.reset();
      for (const [check, holds] of Object.entries(checks)) this.set({ check }, holds ? 1 : 0);
    },
  });
  new Gauge({
    name: "service_draining",
    help: "1 while the process finishes calls in progress and takes no new ones.",
    registers,
    collect() {
      this.set(lifecycle.running ? 0 : 1);
    },
  });
}
