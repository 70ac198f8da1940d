/**
 * `npm run operations -- article-32 --prometheus URL --from DATE --to DATE`: what the bank publishes of its dedicated interface,
 * day by day in Prague; `--help` tells its options. Ends with 1 and one sentence when Prometheus cannot be asked.
 */
import { readCommandLine } from "../../packages/sandbox/src/processes/read-command-line.ts";
import { type DayFigures, figuresOfDay } from "./article-32/day-figures.ts";
import { presentCsv, presentTable } from "./article-32/present-figures.ts";
import { type PrometheusReader, PrometheusRefusal, readPrometheus } from "./article-32/prometheus.ts";
import { OPERATIONS_COMMAND, readPublication } from "./command-line.ts";

const { prometheus, json, csv, days } = await readCommandLine(OPERATIONS_COMMAND, readPublication);

async function figuresOf(reader: PrometheusReader): Promise<readonly DayFigures[]> {
  const figures: DayFigures[] = [];
  // One day after the other: a quarter at once would be much for a Prometheus that others look at.
  for (const day of days) figures.push(await figuresOfDay(reader, day));
  return figures;
}

function present(figures: readonly DayFigures[]): string {
  if (json) return `${JSON.stringify(figures, undefined, 2)}\n`;
  return csv ? presentCsv(figures) : `${presentTable(figures)}\n`;
}

try {
  process.stdout.write(present(await figuresOf(readPrometheus(prometheus))));
} catch (error) {
  if (!(error instanceof PrometheusRefusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
