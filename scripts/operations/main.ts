/**
 * `npm run operations -- article-32 --prometheus URL --from DATE --to DATE`: what the bank publishes of its dedicated interface,
 * day by day in Prague; `--json` or `--csv` instead of a table. Ends with 1 and one sentence when Prometheus cannot be asked.
 */
import { parseArgs } from "node:util";
import { bankDays } from "./article-32/bank-days.ts";
import { type DayFigures, figuresOfDay } from "./article-32/day-figures.ts";
import { presentCsv, presentTable } from "./article-32/present-figures.ts";
import { readPrometheus } from "./article-32/prometheus.ts";

const USAGE =
  "npm run operations -- article-32 --prometheus URL --from 2026-07-01 --to 2026-09-30 [--json | --csv]";

async function run(): Promise<string> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      prometheus: { type: "string" },
      from: { type: "string" },
      to: { type: "string" },
      json: { type: "boolean" },
      csv: { type: "boolean" },
    },
  });
  const { prometheus, from, to } = values;
  const isWhole = prometheus !== undefined && from !== undefined && to !== undefined;
  if (positionals.join(" ") !== "article-32" || !isWhole) throw new RangeError(USAGE);
  if (!URL.canParse(prometheus)) throw new RangeError(`--prometheus is no URL`);
  const reader = readPrometheus(new URL(prometheus));
  const days: DayFigures[] = [];
  // One day after the other: a quarter at once would be much for a Prometheus that others look at.
  for (const day of bankDays(from, to)) days.push(await figuresOfDay(reader, day));
  if (values.json) return `${JSON.stringify(days, undefined, 2)}\n`;
  return values.csv ? presentCsv(days) : `${presentTable(days)}\n`;
}

try {
  process.stdout.write(await run());
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : "failed"}\n`);
  process.exitCode = 1;
}
