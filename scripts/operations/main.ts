/**
 * `npm run operations -- article-32 --prometheus URL --from DATE --to DATE`: what the bank publishes of its dedicated interface,
 * day by day in Prague; `--help` tells its options. Ends with 1 and one sentence when Prometheus cannot be asked.
 */
import {
  createCommand,
  readCommandLine,
  WrongUsage,
} from "../../packages/sandbox/src/processes/read-command-line.ts";
import { type BankDay, bankDays } from "./article-32/bank-days.ts";
import { type DayFigures, figuresOfDay } from "./article-32/day-figures.ts";
import { presentCsv, presentTable } from "./article-32/present-figures.ts";
import { type PrometheusReader, PrometheusRefusal, readPrometheus } from "./article-32/prometheus.ts";

interface PublicationOptions {
  readonly prometheus: URL;
  readonly from: string;
  readonly to: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

const COMMAND = createCommand(
  "npm run operations",
  "Prints the figures that RTS Article 32(4) has a bank publish of its dedicated interface, from Prometheus, day by day in Prague.",
)
  .argument("<figures>", "article-32", parseFigures)
  .requiredOption("--prometheus <url>", "where Prometheus is, such as http://prometheus:9090", parseUrl)
  .requiredOption("--from <date>", "the first day, such as 2026-07-01")
  .requiredOption("--to <date>", "the last day")
  .option("--json", "print JSON instead of a table")
  .option("--csv", "print CSV instead of a table")
  .addHelpText("after", "\nExit codes: 0 done, 1 Prometheus cannot be asked, 2 wrong usage.");

function parseFigures(text: string): string {
  if (text === "article-32") return text;
  throw new WrongUsage("There is article-32.");
}

function parseUrl(text: string): URL {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text);
  throw new WrongUsage("It is a URL that begins with http:// or https://.");
}

function readDays({ from, to }: PublicationOptions): readonly BankDay[] {
  try {
    return bankDays(from, to);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new WrongUsage(error.message);
  }
}

const { prometheus, json, csv, days } = readCommandLine(COMMAND, (given: PublicationOptions) => {
  if (given.json && given.csv) throw new WrongUsage("--json and --csv are not given together");
  return { ...given, days: readDays(given) };
});

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
