import type { Statement } from "./database-postgres.ts";

/** A list that may be narrowed, and is read page by page. */
export interface List {
  readonly name: string;
  /** With what holds for every row of it, if anything does. */
  readonly select: string;
  readonly where?: string;
  readonly order: string;
}

/** A list whose newest rows come first, and what is earlier in it than the row of an id. */
export interface NewestFirst {
  readonly list: List;
  /** Its `$` stands for the id. */
  readonly earlier: string;
}

/** The list of a table by a time, as the index that it is to be read by has it, and by the id. */
export function newestFirst(
  { name, table, columns }: { readonly name: string; readonly table: string; readonly columns: string },
  time: string,
): NewestFirst {
  return {
    list: { name, select: `SELECT ${columns} FROM ${table}`, order: `${time} DESC, id DESC` },
    earlier: `(${time}, id) < (SELECT ${time}, id FROM ${table} WHERE id = $)`,
  };
}

/** Which page of a list is wanted: so many rows, after the one with a key that the page before ended with. */
export interface PageQuestion<Key> {
  readonly after: Key | undefined;
  readonly limit: number;
}

/** What narrows a list when it is asked for: each `$` of the text stands for the value. */
export interface ListCondition {
  readonly name: string;
  readonly text: string;
  readonly value: unknown;
}

/**
 * The statement of a page: what is not asked for, as its value is undefined, is not in it, so that each question
 * has its own plan.
 */
export function listStatement(list: List, conditions: readonly ListCondition[], limit: number): Statement {
  const values: unknown[] = [limit];
  const asked = conditions.filter(({ value }) => value !== undefined);
  const narrowed = asked.map(({ text, value }) => text.replaceAll("$", () => `$${values.push(value)}`));
  const where = [list.where, ...narrowed].filter((text) => text !== undefined).join(" AND ");
  return {
    name: [list.name, ...asked.map(({ name }) => name)].join("-"),
    text: `${list.select} ${where && `WHERE ${where}`} ORDER BY ${list.order} LIMIT $1`,
    values,
  };
}

/** The rows of a page; undefined where there are none because no row has the key after which they were to come. */
export async function pageAfter<Row, Key>(
  rows: readonly Row[],
  after: Key | undefined,
  find: (key: Key) => Promise<unknown>,
): Promise<readonly Row[] | undefined> {
  const isPage = rows.length > 0 || after === undefined || (await find(after)) !== undefined;
  return isPage ? rows : undefined;
}
