import type { CommandResult } from "./command-run.ts";
import { membersOf, parseAnswer, presentValue } from "./members.ts";

/** A column: its heading, and the member that it shows. */
export type Column = readonly [heading: string, member: string];

const GAP = "  ";

/** Formats rows under headings, each column as wide as its longest cell. */
export function presentTable(columns: readonly Column[], rows: readonly unknown[]): string {
  const cells = rows.map((row) => columns.map(([, member]) => presentValue(membersOf(row)[member])));
  const table = [columns.map(([heading]) => heading), ...cells];
  const widths = columns.map((_, at) => Math.max(...table.map((line) => [...(line[at] ?? "")].length)));
  const pad = (cell: string, at: number) => cell + " ".repeat((widths[at] ?? 0) - [...cell].length);
  return table.map((line) => line.map(pad).join(GAP).trimEnd()).join("\n");
}

/** Formats the members of one object, one per line; a list of objects takes one line for each. */
export function presentFields(value: unknown): string {
  const members = Object.entries(membersOf(value));
  const width = Math.max(0, ...members.map(([name]) => name.length));
  return members.flatMap(([name, member]) => linesOf(name.padEnd(width), member)).join("\n");
}

/** Builds the output of a command whose answer is one object. */
export function fieldsOf(json: string): CommandResult {
  return { json, text: presentFields(parseAnswer(json)) };
}

function linesOf(name: string, member: unknown): readonly string[] {
  const isOfThings = Array.isArray(member) && member.some((each) => typeof each === "object");
  if (!isOfThings) return [`${name}  ${presentValue(member)}`];
  const [first, ...more] = member.map(presentValue);
  return [`${name}  ${first}`, ...more.map((line) => `${" ".repeat(name.length)}  ${line}`)];
}
