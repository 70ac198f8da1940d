import {
  createCommand,
  WrongUsage,
  wholeNumber,
} from "../../../packages/sandbox/src/terminal/read-command-line.ts";

/** The number of transactions must be a multiple of this: one account has a tenth of them, every other account a thousand. */
const MULTIPLE = 10_000;

/** Options of the command line. */
export interface HistoryOptions {
  readonly transactions: number;
  readonly rounds: number;
  readonly json?: boolean;
  readonly write?: boolean;
}

/** The command line of `npm run bench:history`. */
export const HISTORY_COMMAND = createCommand(
  "npm run bench:history",
  "Measures the cost of any page and any period of a long history, compared with the first page of a short one.",
)
  .option(
    "--transactions <number>",
    "size of the table, a multiple of 10,000; a tenth of them in one account",
    readTransactions,
    10_000_000,
  )
  .option("--rounds <number>", "how often each request is timed", wholeNumber(1), 500)
  .option("--json", "print the ratios alone, as JSON, on standard output")
  .option("--write", "write the result to test/results/bench-history.md, with commit and machine")
  .addHelpText("after", "\nExit codes: 0 every goal is met, 1 one is missed, 2 wrong usage.");

function readTransactions(text: string): number {
  const transactions = wholeNumber(MULTIPLE)(text);
  if (transactions % MULTIPLE === 0) return transactions;
  throw new WrongUsage("It must be a multiple of 10,000.");
}
