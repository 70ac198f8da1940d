import type { Publication } from "../command-line.ts";
import { type DayFigures, figuresOfDay } from "./day-figures.ts";
import { presentCsv, presentTable } from "./present-figures.ts";
import { readPrometheus } from "./prometheus.ts";

/** Returns the text to print for the wanted days. Rejects with `PrometheusRefusal`. */
export async function publish({ prometheus, days, json, csv }: Publication): Promise<string> {
  const reader = readPrometheus(prometheus);
  const figures: DayFigures[] = [];
  // One day at a time: a quarter at once would be a heavy load for a Prometheus that others use.
  for (const day of days) figures.push(await figuresOfDay(reader, day));
  if (json) return `${JSON.stringify(figures, undefined, 2)}\n`;
  return csv ? presentCsv(figures) : `${presentTable(figures)}\n`;
}
