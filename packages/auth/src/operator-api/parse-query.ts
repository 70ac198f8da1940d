import type { PageQuestion } from "@cobs/service-edge";
import { OperatorRefusal } from "./operator-refusal.ts";

/** Form of a parameter: reads its value, undefined when the text does not fit, and says in words what it must be. */
export interface ParameterKind<Value> {
  readonly read: (text: string) => Value | undefined;
  readonly must: string;
}

/** Reads one parameter; undefined when it is missing or faulty. A fault is noted. */
export type ReadParameter = <Value>(name: string, kind: ParameterKind<Value>) => Value | undefined;

/** One page of a list; with `next`, another page follows after that key. */
export interface Page<Row, Key> {
  readonly rows: readonly Row[];
  readonly next: Key | undefined;
}

/** Most rows on a page of any list. */
const MAX_PAGE_ROWS = 200;
const DEFAULT_PAGE_ROWS = 50;

/** Form of the number of rows of a page, from 1 to `most`. */
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
 * Reads the query of a call, in which every parameter occurs at most once and `build` asks for each. Refuses with
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
    if (more.length > 0) faults.push(`${name} may be given only once`);
    if (text === undefined) return undefined;
    const value = kind.read(text);
    if (value === undefined) faults.push(`${name} must be ${kind.must}`);
    return value;
  });
  const unknown = [...new Set(query.keys())].filter((name) => !asked.has(name));
  faults.push(...unknown.map((name) => `${name.slice(0, 50)} is not a known parameter`));
  if (faults.length > 0) throw new OperatorRefusal("order_malformed", faults.join("; "));
  return question;
}

/** Reads `limit` and `after`; the form of the key depends on the list. */
export function readPage<Key>(read: ReadParameter, key: ParameterKind<Key>): PageQuestion<Key> {
  return { after: read("after", key), limit: read("limit", LIMIT) ?? DEFAULT_PAGE_ROWS };
}

/** Makes a page from `limit` rows and at most one more, which only shows that there is a next page. */
export function pageOf<Row, Key>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => Key,
): Page<Row, Key> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, next: rows.length > limit && last !== undefined ? keyOf(last) : undefined };
}
