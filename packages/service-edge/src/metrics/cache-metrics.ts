import { Counter, Gauge } from "prom-client";
import type { ProcessMetrics } from "./process-metrics.ts";

/** Counts the look-ups of a cache. */
export interface CacheCount {
  hit(): void;
  missed(): void;
}

/**
 * Registers a cache by name, with a function that returns its number of entries. A cache that replaces one of the same name
 * continues its figures.
 */
export type CountCache = (name: string, entries: () => number) => CacheCount;

interface CountedCache {
  entries: () => number;
  hits: number;
  misses: number;
}

/**
 * Registers the metrics of caches; once per process. Their names are a fixed list. Counting only increments a number: labels
 * are resolved when the metrics are read.
 */
export function createCacheMetrics({ registry }: Pick<ProcessMetrics, "registry">): CountCache {
  const caches = new Map<string, CountedCache>();
  const shape = { labelNames: ["cache"] as const, registers: [registry] };
  const addCounter = (name: string, help: string, figure: "hits" | "misses") =>
    new Counter({
      ...shape,
      name,
      help,
      collect() {
        this.reset();
        for (const [cache, counted] of caches) this.inc({ cache }, counted[figure]);
      },
    });
  addCounter("cache_hits_total", "Look-ups that a cache answered.", "hits");
  addCounter("cache_misses_total", "Look-ups that a cache could not answer.", "misses");
  new Gauge({
    ...shape,
    name: "cache_entries",
    help: "Entries in a cache.",
    collect() {
      for (const [cache, { entries }] of caches) this.set({ cache }, entries());
    },
  });
  return (name, entries) => {
    const counted = caches.get(name) ?? { entries, hits: 0, misses: 0 };
    counted.entries = entries;
    caches.set(name, counted);
    return {
      hit: () => {
        counted.hits += 1;
      },
      missed: () => {
        counted.misses += 1;
      },
    };
  };
}
