/**
 * `npm run faults`: breaks what the services depend on, one thing after the other and under load, and prints a verdict for each
 * fault. `--help` lists its options. Exits with 1 when a verdict failed.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readCommandLine } from "../../packages/sandbox/src/terminal/read-command-line.ts";
import { FAULTS_COMMAND, readFaultsOptions } from "./command-line.ts";
import type { FaultParts, NamedVerdict } from "./fault-case.ts";
import { presentJson, presentPage, presentTable } from "./present-verdicts.ts";

const RESULT_FILE = fileURLToPath(new URL("../../test/results/faults.md", import.meta.url));

const { options, groups, wanted } = await readCommandLine(FAULTS_COMMAND, readFaultsOptions);

async function runPlan(parts: FaultParts): Promise<readonly NamedVerdict[]> {
  const names = new Set(wanted);
  const verdicts: NamedVerdict[] = [];
  for (const group of groups) {
    verdicts.push(...(await group.run(names, parts)));
    // Verdicts are kept after each group, in case the rest is interrupted.
    if (options.write) await keep(verdicts);
  }
  return verdicts;
}

async function keep(verdicts: readonly NamedVerdict[]): Promise<void> {
  const { planFaults } = await import("./plan.ts");
  const former = existsSync(RESULT_FILE) ? readFileSync(RESULT_FILE, "utf8") : "";
  const plan = planFaults({ pgbouncer: "any" }).flatMap(({ cases }) => cases.map(({ name }) => name));
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  writeFileSync(RESULT_FILE, presentPage({ verdicts, commit, plan, former, isKnown }));
}

function isKnown(commit: string): boolean {
  return spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`], { stdio: "ignore" }).status === 0;
}

async function run(): Promise<number> {
  if (options.list) {
    process.stdout.write(`${wanted.join("\n")}\n`);
    return 0;
  }
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const verdicts = await runPlan({ say, quick: options.quick });
  process.stdout.write(options.json ? presentJson(verdicts) : `${presentTable(verdicts)}\n`);
  return verdicts.every(({ held }) => held) ? 0 : 1;
}

// The scenes' servers end with this process, including those that hang at that moment.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));
process.exit(await run());
