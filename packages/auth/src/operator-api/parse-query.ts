import type { PageQuestion } from "@cobs/service-edge";
import { OperatorRefusal } from "./operator-refusal.ts";

/** What a parameter may be: its value, or undefined when the text is none, and the words that say what it must be. */
export interface ParameterKind<Value> {
  readonly read: (text: string) => Value | undefined;
  readonly must: string;
}

/** Reads one parameter; undefined when it is absent or at fault, which is noted. */
export type ReadParameter = <Value>(name: string, kind: ParameterKind<Value>) => Value | undefined;

/** One page of a list; with `next`, there is another page after that key. */
export interface Page<Row, Key> {
  readonly rows: readonly Row[];
  readonly next: Key | undefined;
}

/** Most rows of any list. */
const MAX_PAGE_ROWS = 200;
const DEFAULT_PAGE_ROWS = 50;

/** How many rows of a list are wanted. */
export function limitUpTo(most: number): ParameterKind<number> {
  return {
    read: (text) => {
      const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
      return limit >= 1 && limit <= most ? limit : undefined;
    },
    must: `a whole number from 1 to ${most}`,
  };
}

const LIMIT = limitUpTo(MAX_PAGE_ROWS);

/**
 * Reads the query of a call: every parameter at most once, none that `build` does not ask for. Refuses with
 * `order_malformed` and all faults.
 */
export function parseQuery<Question>(
  query: URLSearchParams,
  build: (read: ReadParameter) => Question,
): Question {
  const asked = new Set<string>();
  const faults: string[] = [];
  const question = build((name, kind) => {
    asked.add(name);
    const [text, ...more] = query.getAll(name);
    if (more.length > 0) faults.push(`${name} may be given once`);
    if (text === undefined) return undefined;
    const value = kind.read(text);
    if (value === undefined) faults.push(`${name} must be ${kind.must}`);
    return value;
  });
  const unknown = [...new Set(query.keys())].filter((name) => !asked.has(name));
  faults.push(...unknown.map((name) => `${name.slice(0, 50)} is not known`));
  if (faults.length > 0) throw new OperatorRefusal("order_malformed", faults.join("; "));
  return question;
}

/** Reads `limit` and `after`, whose key has the form of the list's own. */
export function readPage<Key>(read: ReadParameter, key: ParameterKind<Key>): PageQuestion<Key> {
  return { after: read("after", key), limit: read("limit", LIMIT) ?? DEFAULT_PAGE_ROWS };
}

/** Makes a page of one row more than was wanted: that one only says that there is a next page. */
export function pageOf<Row, Key>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => Key,
): Page<Row, Key> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, next: rows.length > limit && last !== undefined ? keyOf(last) : undefined };
}
