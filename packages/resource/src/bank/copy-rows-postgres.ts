import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ClientBase } from "pg";
import { from } from "pg-copy-streams";

/** A table and the columns to fill, in the order of the values. */
export type CopyTarget = { readonly table: string; readonly columns: readonly string[] };

/** Inserts rows by COPY, many times faster than INSERT; each line comes from `copyLine`. */
export async function copyRows(
  client: ClientBase,
  { table, columns }: CopyTarget,
  lines: Iterable<string>,
): Promise<void> {
  const copy = client.query(from(`COPY ${table} (${columns.join(", ")}) FROM STDIN`));
  await pipeline(Readable.from(chunksOf(lines)), copy);
}

/** One row in the text format of COPY. */
export function copyLine(values: readonly (string | number | bigint | boolean | null)[]): string {
  return `${values.map(copyValue).join("\t")}\n`;
}

function copyValue(value: string | number | bigint | boolean | null): string {
  if (value === null) return "\\N";
  return typeof value === "string" ? copyText(value) : String(value);
}

/** Escapes the four characters that are special in the text format of COPY. */
export function copyText(text: string): string {
  return SPECIAL.test(text) ? text.replace(SPECIALS, (character) => ESCAPES[character] ?? character) : text;
}

const SPECIAL = /[\\\n\r\t]/;
const SPECIALS = /[\\\n\r\t]/g;
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Characters per write. */
const CHUNK_LENGTH = 65_536;

function* chunksOf(lines: Iterable<string>): Generator<Buffer> {
  let chunk = "";
  for (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield Buffer.from(chunk);
    chunk = "";
  }
  if (chunk !== "") yield Buffer.from(chunk);
}
