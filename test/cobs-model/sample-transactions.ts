/** Transactions with every element that the tables of the standard allow their kind. */
import { ContentRefusal, requireTransaction } from "@cobs/cobs-model";
import { type Column, ROWS, type Row } from "./transaction-tables.ts";

/** A JSON value with members that can be changed. */
export type Tree = { [name: string]: unknown };

const CODES: Readonly<Record<Column, string>> = {
  plain: "30000201000",
  fee: "40000101000",
  domestic: "10000101000",
  sepa: "10000502000",
  foreign: "10000201000",
};

const VALUES: Readonly<Record<string, unknown>> = {
  value: "1250.50",
  currency: "EUR",
  sourceCurrency: "CZK",
  targetCurrency: "EUR",
  exchangeRate: "25.4215",
  direction: "DBIT",
  isReversal: false,
  status: "BOOK",
  bookingDate: "2024-05-02T12:15:00.000+02:00",
  valueDate: "2024-05-02",
  bearer: "SHA",
  country: "CZ",
  iban: "CZ6508000000192000145399",
  bic: "TESTCZPP",
  bicOrBei: "TESTCZPPXXX",
  reference: ["VS:2024005", "KS:0308", "SS:1"],
};

/** The value of an element in a kind of transaction, with all elements below it; of a choice, the first. */
export function sampleOf(column: Column, path: string): unknown {
  const name = path.split(".").at(-1) ?? "";
  if (name === "code" && path === "code") return CODES[column];
  if (name in VALUES) return VALUES[name];
  const children = childrenOf(path);
  if (children.length === 0) return "a-1";
  const object = objectOf(column, children);
  return children.every((child) => child.path.startsWith(`${path}[0]`)) ? [object] : object;
}

/** A whole transaction, which may be changed. */
export function wholeTransaction(column: Column): Tree {
  return structuredClone(WHOLE[column]);
}

/** A whole transaction with one value replaced or removed. */
export function changedTransaction(column: Column, path: string, value: unknown): Tree {
  const transaction = wholeTransaction(column);
  put(transaction, path, value);
  return transaction;
}

/** Faults of a value, as codes with paths; empty if it is accepted. */
export function faultsOf(value: unknown, path?: string): readonly string[] {
  try {
    requireTransaction(value, path);
  } catch (error) {
    if (!(error instanceof ContentRefusal)) throw error;
    return error.faults.map((fault) => `${fault.code} ${fault.path}`);
  }
  return [];
}

/** Elements directly below a path. */
export function childrenOf(path: string): readonly Row[] {
  return CHILDREN.get(path) ?? [];
}

/** The path of the parent element; items of a list have no rows of their own. */
export function parentOf(path: string): string {
  return path
    .split(".")
    .slice(0, -1)
    .join(".")
    .replace(/\[0\]$/, "");
}

function objectOf(column: Column, children: readonly Row[]): Tree {
  const used = children.filter(({ occurrence }) => occurrence[column] !== "-");
  const [chosen] = used.filter(({ occurrence }) => occurrence[column] === "C");
  const kept = used.filter((row) => row.occurrence[column] !== "C" || row === chosen);
  return Object.fromEntries(kept.map((row) => [row.path.split(".").at(-1), sampleOf(column, row.path)]));
}

/** Puts a value at a path, creating its parents. */
export function put(tree: Tree, path: string, value: unknown): void {
  const names = path.split(/[.[\]]+/).filter((name) => name !== "");
  const last = names.pop() ?? "";
  let node = tree;
  for (const name of names) {
    const below = node[name];
    if (typeof below !== "object" || below === null) node[name] = {};
    node = asTree(node[name]);
  }
  if (value === undefined) delete node[last];
  else node[last] = value;
}

function asTree(value: unknown): Tree {
  if (!isTree(value)) throw new TypeError("no object");
  return value;
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null;
}

const CHILDREN = new Map(
  ["", ...ROWS.map(({ path }) => path)].map((path) => [
    path,
    ROWS.filter((row) => parentOf(row.path) === path),
  ]),
);

const WHOLE: Readonly<Record<Column, Tree>> = {
  plain: objectOf("plain", childrenOf("")),
  fee: objectOf("fee", childrenOf("")),
  domestic: objectOf("domestic", childrenOf("")),
  sepa: objectOf("sepa", childrenOf("")),
  foreign: objectOf("foreign", childrenOf("")),
};
