import type { Command } from "commander";
import type { OperatorClient } from "../operator-client.ts";
import { type CommandResult, JSON_OPTION, type Json } from "./command-run.ts";
import { idSegment } from "./id-segment.ts";
import { type Members, parseAnswer } from "./members.ts";
import { type Column, fieldsOf, presentTable } from "./present-table.ts";

/** Options that select a page of a list. */
export interface PageOptions extends Json {
  readonly limit?: string;
  readonly after?: string;
}

/** A list of the operator API: its path, the member with its rows, the columns shown, and the text shown when it is empty. */
export interface RowList {
  readonly path: string;
  readonly rows: string;
  readonly columns: readonly Column[];
  readonly empty: string;
}

/** Adds the options of {@link PageOptions}. */
export function withPages(command: Command): Command {
  return command
    .option("--limit <number>", "maximum number of rows, 1 to 200", "50")
    .option("--after <key>", "show the page after the one that ended with this key")
    .option(...JSON_OPTION);
}

/** Appends the given parameters to a path as its query. */
export function pathWith(path: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.append(name, value);
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Asks for one page, and says how to get the next one. */
export async function listRows(
  call: OperatorClient,
  list: RowList,
  asked: Readonly<Record<string, string | undefined>>,
): Promise<CommandResult> {
  const json = await call({ method: "GET", path: pathWith(list.path, asked) });
  const answer = parseAnswer(json);
  const found = answer[list.rows];
  const rows: readonly unknown[] = Array.isArray(found) ? found : [];
  const more = moreAfter(answer);
  // A search with further pages may still find some.
  const none = more === "" ? list.empty : "None on this page.";
  const table = rows.length === 0 ? none : presentTable(list.columns, rows);
  return { json, text: table + more };
}

/** Says how to get the next page of an answer, if there is one; while a search goes on, that page may be empty. */
export function moreAfter({ next }: Members): string {
  return typeof next === "string" || typeof next === "number" ? `\nNext page: --after ${next}` : "";
}

/** Asks for one object by its id. */
export async function showOne(call: OperatorClient, path: string, id: string): Promise<CommandResult> {
  return fieldsOf(await call({ method: "GET", path: `${path}/${idSegment(id)}` }));
}
