import { createCommand, WrongUsage } from "../../packages/sandbox/src/terminal/read-command-line.ts";
import { type BankDay, bankDays } from "./article-32/bank-days.ts";

interface PublicationOptions {
  readonly prometheus: URL;
  readonly from: string;
  readonly to: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

/** The command line of `npm run operations`. */
export const OPERATIONS_COMMAND = createCommand(
  "npm run operations",
  "Prints the figures about the interface that RTS Article 32(4) requires a bank to publish, from Prometheus, for each day in Prague.",
)
  .argument("<figures>", "article-32", parseFigures)
  .requiredOption("--prometheus <url>", "URL of Prometheus, such as http://prometheus:9090", parseUrl)
  .requiredOption("--from <date>", "the first day, such as 2026-07-01")
  .requiredOption("--to <date>", "the last day, which is over in Prague")
  .option("--json", "print JSON instead of a table")
  .option("--csv", "print CSV instead of a table")
  .addHelpText("after", "\nExit codes: 0 done, 1 Prometheus does not answer, 2 wrong usage.");

function parseFigures(text: string): string {
  if (text === "article-32") return text;
  throw new WrongUsage("The only one is article-32.");
}

function parseUrl(text: string): URL {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text);
  throw new WrongUsage("It must be a URL that begins with http:// or https://.");
}

function readDays({ from, to }: PublicationOptions): readonly BankDay[] {
  try {
    const days = bankDays(from, to);
    const last = days.at(-1);
    // The rest of a day that is not over has no measurements, and would count as minutes in which Prometheus did not run.
    if (last !== undefined && last.end > new Date())
      throw new WrongUsage(`${last.date} is not over yet in Prague`);
    return days;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new WrongUsage(error.message);
  }
}

/** What is published, for which days, and in which format. */
export type Publication = PublicationOptions & { readonly days: readonly BankDay[] };

/** Reads the options; `days` are all days of the wanted span. */
export function readPublication(given: PublicationOptions): Publication {
  if (given.json && given.csv) throw new WrongUsage("--json and --csv cannot be combined");
  return { ...given, days: readDays(given) };
}
