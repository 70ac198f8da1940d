import type { HeldMemory } from "./soaked-resource.ts";

/** Figures of one moment. */
export interface SoakSample {
  readonly seconds: number;
  /** Calls since the beginning. */
  readonly calls: number;
  readonly memory: HeldMemory;
  readonly metrics: ReadonlyMap<string, number>;
}

/** Caches that the load goes through. */
export const CACHES = ["tokens", "certificates", "unattended_accesses"] as const;

const COLUMNS = ["s", "calls", "heap MiB", "rss MiB", ...CACHES.map((cache) => `${cache} (hits)`)];

/** The head of the Markdown table of samples. */
export const SAMPLE_TABLE_HEAD = [COLUMNS, COLUMNS.map(() => "---:")].map(rowOf).join("\n");

/** A figure of a cache at the moment of a sample. */
export function figureOf(
  { metrics }: Pick<SoakSample, "metrics">,
  cache: string,
  figure: "entries" | "hits_total" | "misses_total",
): number {
  return metrics.get(`cache_${figure}{cache="${cache}",service="resource"}`) ?? 0;
}

/** One line of the table: entries of each cache, and its hit rate since the previous sample. */
export function presentSample(sample: SoakSample, before: SoakSample | undefined): string {
  const { seconds, calls, memory } = sample;
  const caches = CACHES.map((cache) => {
    const rate = hitRate(sample, before, cache);
    const share = Number.isNaN(rate) ? "" : ` (${(rate * 100).toFixed(1)} %)`;
    return `${figureOf(sample, cache, "entries")}${share}`;
  });
  return rowOf([
    seconds.toFixed(0),
    String(calls),
    mebibytes(memory.heapUsed),
    mebibytes(memory.rss),
    ...caches,
  ]);
}

/** Hit rate between two samples; NaN if there were no look-ups. */
export function hitRate(sample: SoakSample, before: SoakSample | undefined, cache: string): number {
  const since = (figure: "hits_total" | "misses_total") =>
    figureOf(sample, cache, figure) - (before === undefined ? 0 : figureOf(before, cache, figure));
  const hits = since("hits_total");
  return hits / (hits + since("misses_total"));
}

/**
 * Factor by which the heap grew from the second third of the samples to the last: about 1 if memory is flat. The first third is
 * left out, because caches fill during it.
 */
export function heapGrowth(samples: readonly SoakSample[]): number {
  const third = Math.floor(samples.length / 3);
  const [middle, last] = [samples.slice(-2 * third, -third), samples.slice(-third)];
  return meanHeap(last) / meanHeap(middle);
}

function meanHeap(samples: readonly SoakSample[]): number {
  return samples.reduce((sum, { memory }) => sum + memory.heapUsed, 0) / samples.length;
}

function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
