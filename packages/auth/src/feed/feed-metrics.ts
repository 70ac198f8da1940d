import type { ProcessMetrics } from "@cobs/service-edge";
import { Gauge } from "prom-client";
import type { Feed } from "./feed.ts";

/** Creates the metric of the feed's position; once per process. */
export function createFeedMetrics(
  { registry }: Pick<ProcessMetrics, "registry">,
  feed: Pick<Feed, "head">,
): void {
  new Gauge({
    name: "event_feed_position",
    help: "Position of the newest event; queried from the database at each scrape.",
    registers: [registry],
    // Keeps its value while the database cannot be asked.
    async collect() {
      const head = await feed.head().catch(() => undefined);
      if (head !== undefined) this.set(head);
    },
  });
}
