import { cpus, totalmem } from "node:os";
import { alignTable } from "../bench/section.ts";
import type { NamedVerdict } from "./fault-case.ts";

const COLUMNS = ["fault", "held", "took", "detail"];

function cellsOf({ name, held, seconds, detail }: NamedVerdict): readonly string[] {
  return [name, held ? "yes" : "NO", `${seconds.toFixed(0)} s`, detail.replaceAll("|", "\\|")];
}

/** A Markdown table of the verdicts that people can read as it is. */
export function presentTable(verdicts: readonly NamedVerdict[]): string {
  const rows = verdicts.map(cellsOf);
  return alignTable([COLUMNS, COLUMNS.map(() => "---"), ...rows]).join("\n");
}

const NOT_RUN = "not run";
const KEPT_COLUMNS = ["fault", "held", "took", "commit", "detail"];
/** Matches a row of the page; a bar in a cell is escaped. */
const ROW = /^\| (?<name>[a-z]+\/\S+) +\|/;

/** The cells of a page's rows, by the name of the fault. */
function rowsOf(page: string): ReadonlyMap<string, readonly string[]> {
  const rows = new Map<string, readonly string[]>();
  for (const line of page.split("\n")) {
    const name = ROW.exec(line)?.groups?.name;
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    if (name !== undefined && cells[2] !== NOT_RUN) rows.set(name, cells.slice(1, -1));
  }
  return rows;
}

function describeMachine(): string {
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `${date}, on ${machine}, Node ${process.versions.node}`;
}

/** What a page is made of. */
export interface Page {
  readonly verdicts: readonly NamedVerdict[];
  /** Commit at which the verdicts were seen. */
  readonly commit: string;
  /** Names of the whole plan, in order. */
  readonly plan: readonly string[];
  /** The former page: it keeps its verdict of each case that did not run now. */
  readonly former: string;
  /** Whether the repository has a commit: a verdict at an unknown commit counts as none. */
  readonly isKnown: (commit: string) => boolean;
}

/** The page that `--write` keeps: the newest verdict for each fault of the plan, with the commit at which it was seen. */
export function presentPage({ verdicts, commit, plan, former, isKnown }: Page): string {
  const seen = verdicts.map((each) => {
    const [name = "", held = "", took = "", detail = ""] = cellsOf(each);
    return [name, [name, held, took, commit, detail]] as const;
  });
  const before = [...rowsOf(former)].filter(([, [, , , commit = ""]]) => isKnown(commit));
  const rows = new Map([...before, ...seen]);
  const kept = plan.filter((name) => rows.has(name)).length;
  const table = plan.map((name) => rows.get(name) ?? [name, NOT_RUN, "", "", ""]);
  const held = table.filter(([, verdict]) => verdict === "yes").length;
  return [
    "# What was broken on purpose, and what became of it",
    "",
    `\`npm run faults\`, last on ${describeMachine()}: of ${plan.length} cases ${kept} were seen, and ${held} held.`,
    "The services run as processes from `tsc` output, PostgreSQL flushes every commit, and callers go on all the time.",
    "",
    // Not padded: one long detail would make every row as long.
    ...[KEPT_COLUMNS, KEPT_COLUMNS.map(() => "---"), ...table].map((cells) => `| ${cells.join(" | ")} |`),
    "",
  ].join("\n");
}

/** The verdicts as JSON, for programs. */
export function presentJson(verdicts: readonly NamedVerdict[]): string {
  const rows = verdicts.map(({ name, held, detail }) => ({ name, held, detail }));
  return `${JSON.stringify(rows, undefined, 2)}\n`;
}
