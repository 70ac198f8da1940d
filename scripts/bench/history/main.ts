/**
 * `npm run bench:history`: compares the cost of any page and any span of a long history, total count included, with that of the
 * first page of a short one. `--help` lists its options. Exits with 1 if anything costs more than 1.3 times as much.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { readCommandLine } from "../../../packages/sandbox/src/terminal/read-command-line.ts";
import { HISTORY_COMMAND, type HistoryOptions } from "./command-line.ts";
import { type HistoryRow, historyRatios, presentHistory } from "./history-result.ts";

const RESULT_FILE = fileURLToPath(new URL("../../../test/results/bench-history.md", import.meta.url));

const options = await readCommandLine(HISTORY_COMMAND, (given: HistoryOptions) => given);

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

const { measureHistory } = await import("./measure-history.ts");
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
