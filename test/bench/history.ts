/**
 * `npm run bench:history`: what any page and any span of time of a long history cost, the total count included, against
 * the first page of a short one. `--transactions` is the size of the table (10,000,000; a tenth of them in one account),
 * `--rounds` how often each request is timed, `--json` prints JSON, `--write` keeps the result with commit and machine in
 * `test/results`. Ends with 1 when something costs more than 1.3 times as much.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type HistoryRow, historyRatios, presentHistory } from "./history/history-result.ts";
import { measureHistory } from "./history/measure-history.ts";

const RESULT_FILE = fileURLToPath(new URL("../results/bench-history.md", import.meta.url));

const { values: options } = parseArgs({
  options: {
    transactions: { type: "string", default: "10000000" },
    rounds: { type: "string", default: "500" },
    json: { type: "boolean" },
    write: { type: "boolean" },
  },
});

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

const transactions = Number(options.transactions);
if (!Number.isSafeInteger(transactions) || transactions <= 0 || transactions % 10_000 !== 0) {
  throw new RangeError("--transactions is a multiple of 10,000");
}
const rows = await measureHistory({
  transactions,
  rounds: Number(options.rounds),
  onProgress: (what) => process.stderr.write(`${what}\n`),
});
const ratios = historyRatios(rows);
const text = describe(rows, transactions);
process.stdout.write(options.json ? `${JSON.stringify(ratios)}\n` : text);
if (options.write) writeFileSync(RESULT_FILE, text);
// The database server ends with this process.
process.exit(ratios.some(({ ratio, goal }) => ratio < goal) ? 1 : 0);
