/**
 * `npm run faults`: breaks what the services depend on, one thing after the other and under load, and prints what became
 * of each; `--help` tells its options. Ends with 1 when one did not hold.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  createCommand,
  readCommandLine,
  WrongUsage,
} from "../../packages/sandbox/src/processes/read-command-line.ts";
import type { FaultParts, NamedVerdict } from "./fault-case.ts";
import { planFaults } from "./plan.ts";
import { presentJson, presentPage, presentTable } from "./present-verdicts.ts";

const RESULT_FILE = fileURLToPath(new URL("../../test/results/faults.md", import.meta.url));

interface FaultOptions {
  readonly list?: boolean;
  readonly only?: readonly string[];
  readonly quick?: boolean;
  readonly json?: boolean;
  readonly write?: boolean;
  readonly pgbouncer?: string;
}

const COMMAND = createCommand(
  "npm run faults",
  "Breaks what the services depend on, one thing after the other and under load, and prints what became of each.",
)
  .option("--list", "name the cases, and end")
  .option("--only <beginning...>", "the cases whose names begin so, such as redis/; without it all")
  .option("--quick", "a sample that takes a minute")
  .option("--pgbouncer <file>", "program of a PgBouncer of 1.21 or newer, to try behind it too")
  .option("--json", "print an array of {name, held, detail}, and nothing else, on standard output")
  .option("--write", "keep what was seen in test/results/faults.md, beside what was seen of the others")
  .addHelpText("after", "\nExit codes: 0 every case held, 1 one did not, 2 wrong usage, 130 interrupted.");

const { options, groups, wanted } = readCommandLine(COMMAND, (given: FaultOptions) => {
  const { only = [""], quick: isSample = false } = given;
  const planned = planFaults(given);
  const isWanted = (name: string) => only.some((beginning) => name.startsWith(beginning));
  const names = planned
    .flatMap(({ cases }) => cases)
    .filter(({ name, quick }) => isWanted(name) && (quick || !isSample))
    .map(({ name }) => name);
  if (names.length === 0) {
    const sample = isSample ? " of those that are quick" : "";
    throw new WrongUsage(`no case${sample} has a name like ${only.join(", ")}; --list names them`);
  }
  return { options: { ...given, quick: isSample }, groups: planned, wanted: names };
});

async function runPlan(parts: FaultParts): Promise<readonly NamedVerdict[]> {
  const names = new Set(wanted);
  const verdicts: NamedVerdict[] = [];
  for (const group of groups) verdicts.push(...(await group.run(names, parts)));
  return verdicts;
}

function keep(verdicts: readonly NamedVerdict[]): void {
  const former = existsSync(RESULT_FILE) ? readFileSync(RESULT_FILE, "utf8") : "";
  const plan = planFaults({ pgbouncer: "any" }).flatMap(({ cases }) => cases.map(({ name }) => name));
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  writeFileSync(RESULT_FILE, presentPage({ verdicts, commit, plan, former }));
}

async function run(): Promise<number> {
  if (options.list) {
    process.stdout.write(`${wanted.join("\n")}\n`);
    return 0;
  }
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const verdicts = await runPlan({ say, quick: options.quick });
  process.stdout.write(options.json ? presentJson(verdicts) : `${presentTable(verdicts)}\n`);
  if (options.write) keep(verdicts);
  return verdicts.every(({ held }) => held) ? 0 : 1;
}

// Servers of the scenes end with this process, also those that are hung at that moment.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
process.exit(await run());
