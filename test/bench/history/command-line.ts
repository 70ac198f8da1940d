import {
  createCommand,
  WrongUsage,
  wholeNumber,
} from "../../../packages/sandbox/src/processes/read-command-line.ts";

/** Of what one account has a tenth, and each other a thousand. */
const MULTIPLE = 10_000;

/** What it says. */
export interface HistoryOptions {
  readonly transactions: number;
  readonly rounds: number;
  readonly json?: boolean;
  readonly write?: boolean;
}

/** The command line of `npm run bench:history`. */
export const HISTORY_COMMAND = createCommand(
  "npm run bench:history",
  "Measures what any page and any span of time of a long history cost, against the first page of a short one.",
)
  .option(
    "--transactions <number>",
    "size of the table, a multiple of 10,000; a tenth of them in one account",
    readTransactions,
    10_000_000,
  )
  .option("--rounds <number>", "how often each request is timed", wholeNumber(1), 500)
  .option("--json", "print the ratios alone, as JSON, on standard output")
  .option("--write", "keep the result in test/results/bench-history.md, with commit and machine")
  .addHelpText("after", "\nExit codes: 0 every goal is met, 1 one is missed, 2 wrong usage.");

function readTransactions(text: string): number {
  const transactions = wholeNumber(MULTIPLE)(text);
  if (transactions % MULTIPLE === 0) return transactions;
  throw new WrongUsage("It is a multiple of 10,000.");
}
