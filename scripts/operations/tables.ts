import { allMetrics } from "./all-metrics.ts";
import { RETENTION } from "./retention.ts";
import { readRules } from "./rule-files.ts";

/** The tables of `README.md` beside this file, by their names there: metrics, alerts, and how long each table is kept. */
export async function operationsTables(): Promise<Readonly<Record<string, string>>> {
  return { metrics: await presentMetrics(), alerts: presentAlerts(), retention: presentRetention() };
}

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
  return presentTable(["alert", "urgency", "summary", "what it means, and what to do"], rows);
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
