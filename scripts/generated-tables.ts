/**
 * Writes the generated tables of the documentation: variables from the services' own lists, benchmarks from the last result,
 * and what operators look up. With `--check` it writes nothing, and exits with 1 when a table is out of date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { AUTH_VARIABLES } from "@cobs/auth";
import { OPERATOR_VARIABLES } from "@cobs/auth/operator";
import { RESOURCE_VARIABLES } from "@cobs/resource";
import { SANDBOX_VARIABLES } from "@cobs/sandbox";
import { presentVariables } from "@cobs/service-edge";
import { operationsTables } from "./operations/tables.ts";
import { presentGroups } from "./variable-groups.ts";

interface GeneratedTable {
  readonly file: string;
  /** Name in the comments around the table. */
  readonly name: string;
  readonly table: string;
}

const TABLES: readonly GeneratedTable[] = [
  { file: "packages/auth/CONFIGURATION.md", name: "auth", table: presentGroups(AUTH_VARIABLES, "###") },
  { file: "packages/auth/CONFIGURATION.md", name: "operator", table: presentVariables(OPERATOR_VARIABLES) },
  {
    file: "packages/resource/CONFIGURATION.md",
    name: "resource",
    table: presentGroups(RESOURCE_VARIABLES, "##"),
  },
  { file: "packages/sandbox/README.md", name: "sandbox", table: presentVariables(SANDBOX_VARIABLES) },
  { file: "README.md", name: "benchmarks", table: readBenchmarks() },
  ...Object.entries(await operationsTables()).map(([name, table]) => ({
    file: "scripts/operations/README.md",
    name,
    table,
  })),
];

/** The first table of the last result: every measurement with its ratio and goal. */
function readBenchmarks(): string {
  const [table] = /^\|.*\n(?:\|.*\n)+/m.exec(read("test/results/bench.md")) ?? [];
  if (table === undefined) throw new Error("test/results/bench.md has no table");
  return table.trimEnd();
}

function read(file: string): string {
  return readFileSync(pathOf(file), "utf8");
}

function pathOf(file: string): string {
  return resolve(import.meta.dirname, "..", file);
}

function withTable(text: string, { file, name, table }: GeneratedTable): string {
  const block = new RegExp(`(<!-- generated:${name} -->\n)[^]*?(<!-- /generated:${name} -->)`);
  if (!block.test(text)) throw new Error(`${file} has no place for the table ${name}`);
  return text.replace(block, (_all, open, close) => `${open}${table}\n${close}`);
}

const check = process.argv.includes("--check");
for (const generated of TABLES) {
  const current = read(generated.file);
  const wanted = withTable(current, generated);
  if (current === wanted) continue;
  if (!check) writeFileSync(pathOf(generated.file), wanted);
  else {
    process.stderr.write(`${generated.file}: the table ${generated.name} is out of date; run npm run docs\n`);
    process.exitCode = 1;
  }
}
