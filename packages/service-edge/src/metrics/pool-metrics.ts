import { Gauge, type Registry } from "prom-client";

/** Counts of the serving processes, as the first process sees them. */
export interface ServingCount {
  /** Number of processes configured. */
  readonly wanted: number;
  readonly ready: () => number;
}

/** Adds what the first process knows of the others to its metrics, because a process that is gone cannot report itself. */
export function addPoolMetrics(registry: Registry, { wanted, ready }: ServingCount): void {
  const registers = [registry];
  new Gauge({
    name: "processes_wanted",
    help: "Number of processes that should serve, with --processes.",
    registers,
  }).set(wanted);
  new Gauge({
    name: "processes_ready",
    help: "Number of processes of --processes that run and have become ready.",
    registers,
    collect() {
      this.set(ready());
    },
  });
}
