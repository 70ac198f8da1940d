import type { Statement } from "./database-postgres.ts";

/** A list that may be filtered and is read page by page. */
export interface List {
  readonly name: string;
  /** The SELECT, with any condition that holds for all its rows. */
  readonly select: string;
  readonly where?: string;
  readonly order: string;
}

/** A list whose newest rows come first, and the condition for rows that follow the row of an id. */
export interface NewestFirst {
  readonly list: List;
  /** Its `$` stands for the id. */
  readonly earlier: string;
}

/** The list of a table ordered by a time, as in the index meant for it, and then by the id. */
export function newestFirst(
  { name, table, columns }: { readonly name: string; readonly table: string; readonly columns: string },
  time: string,
): NewestFirst {
  return {
    list: { name, select: `SELECT ${columns} FROM ${table}`, order: `${time} DESC, id DESC` },
    earlier: `(${time}, id) < (SELECT ${time}, id FROM ${table} WHERE id = $)`,
  };
}

/** Which page of a list is wanted: a number of rows after the key that ended the previous page. */
export interface PageQuestion<Key> {
  readonly after: Key | undefined;
  readonly limit: number;
}

/** An optional filter of a list: each `$` of the text stands for the value. */
export interface ListCondition {
  readonly name: string;
  readonly text: string;
  readonly value: unknown;
}

/**
 * Makes the statement for a page. A condition whose value is undefined is left out, so that each combination of filters has
 * its own plan.
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

/** A list whose rows are in order only within each state, as in an index that has the state before the time. */
export interface ListByState {
  readonly name: string;
  readonly table: string;
  readonly columns: string;
  /** The state of a row, written as in the index, which has it in the order of no language. */
  readonly stateOf: string;
  readonly order: string;
}

/**
 * Makes the statement for a page of the rows in some states. It reads a page of each state and merges these, so that it reads
 * no other rows, however many there are in another state.
 */
export function mergedListStatement(
  { name, table, columns, stateOf, order }: ListByState,
  conditions: readonly ListCondition[],
  { states, limit }: { readonly states: readonly string[]; readonly limit: number },
): Statement {
  const inState = {
    name,
    select: `SELECT * FROM ${table}`,
    where: `${stateOf} = asked.state COLLATE "C"`,
    order,
  };
  const page = listStatement(inState, conditions, limit);
  const values = [...page.values, states];
  const text = `SELECT ${columns} FROM unnest($${values.length}::text[]) AS asked (state)
    CROSS JOIN LATERAL (${page.text}) AS ${table} ORDER BY ${order} LIMIT $1`;
  return { name: page.name, text, values };
}

/** Reads the rows of a page; undefined if there are none because no row has the key that they should follow. */
export async function pageAfter<Row, Key>(
  rows: readonly Row[],
  after: Key | undefined,
  find: (key: Key) => Promise<unknown>,
): Promise<readonly Row[] | undefined> {
  const isPage = rows.length > 0 || after === undefined || (await find(after)) !== undefined;
  return isPage ? rows : undefined;
}
