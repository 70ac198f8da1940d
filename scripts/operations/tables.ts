/**
 * Writes the tables of `scripts/operations/README.md` from the code: its metrics, the retention of every table, the alerts.
 * With `--check` it writes nothing, and exits with 1 when a table is out of date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allMetrics } from "./all-metrics.ts";
import { RETENTION } from "./retention.ts";
import { readRules } from "./rule-files.ts";

const README = join(import.meta.dirname, "README.md");

async function presentMetrics(): Promise<string> {
  const rows = (await allMetrics()).map(({ name, type, labels, help, services }) => [
    `\`${name}\``,
    type,
    labels.map((label) => `\`${label}\``).join(", "),
    services.join(", "),
    help,
  ]);
  return presentTable(["metric", "type", "labels", "of", "meaning"], rows);
}

function presentAlerts(): string {
  const rows = readRules("alert-rules.yml").map(({ alert = "", labels, annotations }) => [
    alert,
    labels?.severity ?? "",
    (annotations?.summary ?? "").replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, "*$1*"),
    annotations?.runbook ?? "",
  ]);
  return presentTable(["alert", "urgency", "what is the matter", "what it means, and what to do"], rows);
}

function presentRetention(): string {
  const rows = RETENTION.map(({ service, table, owner, bound, job }) => [
    service,
    `\`${table}\``,
    `\`${owner}\``,
    bound,
    job === "none" ? "" : `\`${job}\``,
  ]);
  return presentTable(["database", "table", "owner", "kept", "job"], rows);
}

function presentTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map(row).join("\n");
}

const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

function withTable(text: string, name: string, table: string): string {
  const block = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`);
  if (!block.test(text)) throw new Error(`README.md has no place for the table of ${name}`);
  return text.replace(block, (_all, open, close) => `${open}${table}\n${close}`);
}

const current = readFileSync(README, "utf8");
const tables = { metrics: await presentMetrics(), alerts: presentAlerts(), retention: presentRetention() };
const wanted = Object.entries(tables).reduce((text, [name, table]) => withTable(text, name, table), current);
if (!process.argv.includes("--check")) writeFileSync(README, wanted);
else if (current !== wanted) {
  process.stderr.write("scripts/operations/README.md: a table is out of date; run npm run docs\n");
  process.exit(1);
}
