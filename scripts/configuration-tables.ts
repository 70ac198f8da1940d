/**
 * Writes the configuration tables of the README from the services' own lists of variables; with `--check` it only
 * says whether the README is true, and exits with 1 when it is not.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { AUTH_VARIABLES } from "@cobs/auth";
import { OPERATOR_VARIABLES } from "@cobs/auth/operator";
import { RESOURCE_VARIABLES } from "@cobs/resource";
import { SANDBOX_VARIABLES } from "@cobs/sandbox";
import { presentVariables, type Variable } from "@cobs/service-edge";

const README = join(resolve(import.meta.dirname, ".."), "README.md");
const TABLES: Readonly<Record<string, readonly Variable[]>> = {
  auth: AUTH_VARIABLES,
  resource: RESOURCE_VARIABLES,
  operator: OPERATOR_VARIABLES,
  sandbox: SANDBOX_VARIABLES,
};

function withTables(text: string): string {
  return Object.entries(TABLES).reduce((current, [name, variables]) => {
    const block = new RegExp(`(<!-- configuration:${name} -->\n)[^]*?(<!-- /configuration:${name} -->)`);
    if (!block.test(current)) throw new Error(`README.md has no place for the table of ${name}`);
    return current.replace(block, (_all, open, close) => `${open}${presentVariables(variables)}\n${close}`);
  }, text);
}

const current = readFileSync(README, "utf8");
const wanted = withTables(current);
if (!process.argv.includes("--check")) writeFileSync(README, wanted);
else if (current !== wanted) {
  process.stderr.write("README.md: the configuration tables are not those of the code; run npm run readme\n");
  process.exit(1);
}
