import type { ProcessMetrics } from "@cobs/service-edge";
import { Gauge } from "prom-client";
import type { Endings } from "./follow-endings.ts";

/** Adds the progress and age of following auth's endings to the metrics of a process; call it once per process. */
export function createEndingsMetrics(
  { registry }: Pick<ProcessMetrics, "registry">,
  endings: Pick<Endings, "position" | "behind" | "ageSeconds">,
  freshnessSeconds: number,
): void {
  const registers = [registry];
  new Gauge({
    name: "auth_endings_position",
    help: "Position in auth's event feed up to which all events were processed.",
    registers,
    collect() {
      this.set(endings.position() ?? 0);
    },
  });
  new Gauge({
    name: "auth_endings_behind",
    help: "Events in auth's feed, as of its last answer, that are not processed yet.",
    registers,
    collect() {
      this.set(endings.behind());
    },
  });
  new Gauge({
    name: "auth_endings_age_seconds",
    help: "Time since the newest question to auth about endings whose answer left no gap.",
    registers,
    collect() {
      this.set(endings.ageSeconds());
    },
  });
  new Gauge({
    name: "auth_endings_freshness_seconds",
    help: "Configured age above which calls get 503.",
    registers,
  }).set(freshnessSeconds);
}
