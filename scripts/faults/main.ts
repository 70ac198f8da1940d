/**
 * `npm run faults`: breaks what the services depend on, one thing after the other and under load, and prints what became
 * of each. `--list` names the cases, `--only redis/` runs those whose names begin so (and may be said again), `--quick` a sample within a minute;
 * `--json` prints an array of `{name, held, detail}`, `--write` keeps what was seen in `test/results`, beside what an earlier run saw of the others,
 * `--pgbouncer` names a PgBouncer of 1.21 or newer to try too. Ends with 1 when one did not hold.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { readCommandLine, WrongUsage } from "../../packages/sandbox/src/processes/read-command-line.ts";
import type { FaultParts, NamedVerdict } from "./fault-case.ts";
import { planFaults } from "./plan.ts";
import { presentJson, presentPage, presentTable } from "./present-verdicts.ts";

const RESULT_FILE = fileURLToPath(new URL("../../test/results/faults.md", import.meta.url));

const OPTIONS = {
  list: { type: "boolean", default: false },
  only: { type: "string", multiple: true, default: [""] },
  quick: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  write: { type: "boolean", default: false },
  pgbouncer: { type: "string" },
} satisfies ParseArgsConfig["options"];

const { options, groups, wanted } = readCommandLine("npm run faults", () => {
  const { values } = parseArgs({ options: OPTIONS });
  const planned = planFaults(values);
  const isWanted = (name: string) => values.only.some((beginning) => name.startsWith(beginning));
  const names = planned
    .flatMap(({ cases }) => cases)
    .filter(({ name, quick }) => isWanted(name) && (quick || !values.quick))
    .map(({ name }) => name);
  if (names.length === 0) {
    const sample = values.quick ? " of those that are quick" : "";
    throw new WrongUsage(`no case${sample} has a name like ${values.only.join(", ")}; --list names them`);
  }
  return { options: values, groups: planned, wanted: names };
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
