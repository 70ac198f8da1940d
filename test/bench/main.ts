/**
 * `npm run bench`: what the built packages cost, as ratios against a bare baseline in the same run. `--quick` measures
 * only what has a target, and measures again in full before it calls a target missed; `--json` prints JSON; `--write`
 * keeps the result with commit and machine in `test/results`. Ends with 1 when a target is missed.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type BenchTable, meetsTarget } from "./bench-result.ts";
import { benchCertificates, fullSize, quickSize } from "./certificates/certificates-suite.ts";
import { presentTable } from "./present-result.ts";

const RESULT_FILE = fileURLToPath(new URL("../results/bench-certificates.md", import.meta.url));

const { values: options } = parseArgs({
  options: { quick: { type: "boolean" }, json: { type: "boolean" }, write: { type: "boolean" } },
});

const allMet = (tables: readonly BenchTable[]) => tables.every(({ rows }) => rows.every(meetsTarget));

async function run(): Promise<readonly BenchTable[]> {
  const quick = options.quick ? await benchCertificates(quickSize) : undefined;
  return quick !== undefined && allMet(quick) ? quick : benchCertificates(fullSize);
}

function describeMachine() {
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  const [cpu] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const date = new Date().toISOString().slice(0, 10);
  return {
    commit,
    date,
    cpus: cpus().length,
    cpu: cpu?.model ?? "unknown",
    memory,
    node: process.versions.node,
  };
}

const tables = await run();
const machine = describeMachine();
const text = [
  "# What the verification of certificates costs",
  "",
  `\`npm run bench\` at commit ${machine.commit}, ${machine.date}, on ${machine.cpus} cores (${machine.cpu}), ${machine.memory},`,
  `Node ${machine.node}. CPU time of the server process; the callers are another process. Ratios are of the same round.`,
  "",
  ...tables.map(presentTable),
].join("\n");
process.stdout.write(options.json ? `${JSON.stringify({ machine, tables }, undefined, 2)}\n` : text);
if (options.write) writeFileSync(RESULT_FILE, text);
if (!allMet(tables)) process.exitCode = 1;
