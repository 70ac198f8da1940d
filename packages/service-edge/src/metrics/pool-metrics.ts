import { Gauge, type Registry } from "prom-client";

/** The processes that serve, as the first one sees them. */
export interface ServingCount {
  /** As many as were asked for. */
  readonly wanted: number;
  readonly ready: () => number;
}

/** Adds to the figures of the first of several processes what it knows of the others: of those that are gone none tells itself. */
export function addPoolMetrics(registry: Registry, { wanted, ready }: ServingCount): void {
  const registers = [registry];
  new Gauge({
    name: "processes_wanted",
    help: "How many processes are to serve, with --processes.",
    registers,
  }).set(wanted);
  new Gauge({
    name: "processes_ready",
    help: "How many of the processes that are to serve with --processes run and have become ready.",
    registers,
    collect() {
      this.set(ready());
    },
  });
}
