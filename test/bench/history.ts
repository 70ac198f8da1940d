/**
 * `npm run bench:history`: what any page and any span of time of a long history cost, the total count included, against
 * the first page of a short one; `--help` tells its options. Ends with 1 when something costs more than 1.3 times as much.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import {
  createCommand,
  readCommandLine,
  WrongUsage,
  wholeNumber,
} from "../../packages/sandbox/src/processes/read-command-line.ts";
import { type HistoryRow, historyRatios, presentHistory } from "./history/history-result.ts";
import { measureHistory } from "./history/measure-history.ts";

const RESULT_FILE = fileURLToPath(new URL("../results/bench-history.md", import.meta.url));

/** Of what one account has a tenth, and each other a thousand. */
const MULTIPLE = 10_000;

interface HistoryOptions {
  readonly transactions: number;
  readonly rounds: number;
  readonly json?: boolean;
  readonly write?: boolean;
}

const COMMAND = createCommand(
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

const options = readCommandLine(COMMAND, (given: HistoryOptions) => given);

function readTransactions(text: string): number {
  const transactions = wholeNumber(MULTIPLE)(text);
  if (transactions % MULTIPLE === 0) return transactions;
  throw new WrongUsage("It is a multiple of 10,000.");
}

function describe(rows: readonly HistoryRow[], transactions: number): string {
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  const date = new Date().toISOString().slice(0, 10);
  const [cpu] = cpus();
  const machine = `${cpus().length} cores (${cpu?.model ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const ratios = historyRatios(rows).map(({ name, ratio, goal }) => {
    return `- \`${name}\`: ${ratio.toFixed(2)}, at least ${goal}: ${ratio < goal ? "MISSED" : "met"}`;
  });
  return [
    "# What a page of a long history costs",
    "",
    `\`npm run bench:history\` at commit ${commit}, ${date}, on ${machine}, Node ${process.versions.node},`,
    `embedded PostgreSQL 18 with its default memory. One table of ${transactions.toLocaleString("en")} transactions of two`,
    "years, in the order of their times; the large account has a tenth of them, each other a thousand. Pages of 100 with the",
    `total count, in one statement; ${options.rounds} rounds, interleaved. Buffers are pages of 8 kB, of the dearer of PostgreSQL's`,
    "two plans. Any page of the large account is compared with the first page of any other, which is as seldom asked for.",
    "",
    presentHistory(rows),
    "",
    "The baseline in relation to the dearest of each kind, by buffers or by p50, whichever is worse:",
    "",
    ...ratios,
    "",
  ].join("\n");
}

const { transactions } = options;
const rows = await measureHistory({
  transactions,
  rounds: options.rounds,
  onProgress: (what) => process.stderr.write(`${what}\n`),
});
const ratios = historyRatios(rows);
const text = describe(rows, transactions);
process.stdout.write(options.json ? `${JSON.stringify(ratios)}\n` : text);
if (options.write) writeFileSync(RESULT_FILE, text);
// The database server ends with this process.
process.exit(ratios.some(({ ratio, goal }) => ratio < goal) ? 1 : 0);
