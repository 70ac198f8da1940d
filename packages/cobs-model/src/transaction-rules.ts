/**
 * What a transaction must, may and must not have, by its kind (COBS 3.1.5.1). It owns the reading of a transaction where
 * one enters, from a core system or a seed, so that everything inside can be told to a TPP as it is; the rules themselves
 * are the table in `transaction-elements.ts`.
 */
import { type Choice, type ElementNode, growTree, type Occurrence } from "./element-tree.ts";
import { parseAmount } from "./money.ts";
import { type CobsErrorCode, ContentRefusal, type Fault } from "./refusal.ts";
import type { Transaction, TransactionJson } from "./transaction.ts";
import {
  familyOf,
  findTransactionCode,
  isDirectDebit,
  type TransactionCode,
  type TransactionFamily,
} from "./transaction-code.ts";
import { TRANSACTION_ELEMENTS } from "./transaction-elements.ts";
import { isObject } from "./transaction-formats.ts";

type Members = Readonly<Record<string, unknown>>;

/** Where a value stands in what is read, and the faults that were found so far. */
type Place = { readonly path: string; readonly faults: Fault[] };

const OCCURRENCES: readonly Occurrence[] = ["M", "O", "-", "C", "A"];

/** Where the letters of each family stand in a row of the table. */
const COLUMNS: Readonly<Record<TransactionFamily, number>> = {
  plain: 0,
  fee: 1,
  domestic: 2,
  sepa: 3,
  foreign: 4,
};
const PLAIN_NAME = /^[A-Za-z]\w{0,63}$/;

/** The table as each family reads it. */
const TREES: Readonly<Record<TransactionFamily | "directDebit", ElementNode>> = {
  plain: treeOf("plain"),
  fee: treeOf("fee"),
  domestic: treeOf("domestic"),
  sepa: treeOf("sepa"),
  directDebit: treeOf("sepa", true),
  foreign: treeOf("foreign"),
};

/**
 * Reads a transaction that is stored or handed over (`TransactionJson`, with null for what is absent), or refuses with
 * every fault by its path below `path`: FIELD_MISSING where the kind of transaction needs an element, FIELD_INVALID where
 * it must not have it, where the standard has no such element, and where the format is another (COBS 3.1.5.1, 9.1).
 * Without a code nobody knows the kind, and the details are not looked at.
 */
export function requireTransaction(value: unknown, path = ""): Transaction {
  const code = isObject(value) ? findTransactionCode(value.code) : undefined;
  const known = code === undefined && isObject(value) ? { ...value, details: null } : value;
  const faults: Fault[] = [];
  const read = readElement(code === undefined ? TREES.plain : treeOfCode(code), known, { path, faults });
  if (code === undefined || !isProven(read, faults)) throw new ContentRefusal(faults);
  return makeTransaction(read, code);
}

function treeOf(family: TransactionFamily, directDebit = false): ElementNode {
  return growTree(TRANSACTION_ELEMENTS, (letters) => {
    const letter = letters[COLUMNS[family]];
    if (letter === "D") return directDebit ? "O" : "-";
    return OCCURRENCES.find((each) => each === letter) ?? "O";
  });
}

function treeOfCode(code: TransactionCode): ElementNode {
  return isDirectDebit(code) ? TREES.directDebit : TREES[familyOf(code)];
}

function makeTransaction(json: TransactionJson, code: TransactionCode): Transaction {
  const { direction, status, bookingDate, valueDate } = json;
  return {
    entryReference: json.entryReference ?? null,
    amount: parseAmount(json.amount),
    direction,
    isReversal: json.isReversal ?? false,
    status,
    bookingDate,
    valueDate,
    code,
    details: json.details ?? null,
  };
}

/** What the whole table has nothing against is a transaction; the compiler cannot see that by itself. */
function isProven(_value: unknown, faults: readonly Fault[]): _value is TransactionJson {
  return faults.length === 0;
}

/** The value without what is null in it; with a fault, what it gives must not be used. */
function readElement(node: ElementNode, value: unknown, at: Place): unknown {
  const { most } = node.format;
  if (most === undefined) return readItem(node, value, at);
  if (Array.isArray(value) && value.length >= 1 && value.length <= most)
    return value.map((item: unknown, position) => readItem(node, item, itemOf(at, position)));
  addInvalid(at, `is not an array of 1 to ${most} items`);
  return undefined;
}

function readItem(node: ElementNode, value: unknown, at: Place): unknown {
  const { accepts, wrong, member } = node.format;
  const isParent = isObject(value);
  if (!accepts(value)) addInvalid(isParent && member !== undefined ? memberOf(at, member) : at, wrong);
  return isParent && node.children.length > 0 ? readMembers(node, value, at) : value;
}

function readMembers(node: ElementNode, members: Members, at: Place): Members {
  for (const name of Object.keys(members))
    if (!node.names.has(name) && isGiven(members[name]))
      addInvalid(unknownOf(at, name), "is no element of the standard");
  for (const choice of node.choices) addFaultOfChoice(choice, members, at);
  const read: Record<string, unknown> = {};
  for (const child of node.children) {
    const member = members[child.name];
    if (isWanted(child, member, at)) read[child.name] = readElement(child, member, memberOf(at, child.name));
  }
  return read;
}

/** An empty text is known to be nothing (PDF 1.2.3), which is not enough where the standard wants something. */
function isWanted({ name, occurrence }: ElementNode, member: unknown, at: Place): boolean {
  const isThere = isGiven(member) && !(member === "" && occurrence === "M");
  if (!isThere && occurrence === "M") addFault("FIELD_MISSING", memberOf(at, name), "is missing");
  if (isThere && occurrence === "-")
    addInvalid(memberOf(at, name), "is not used by this kind of transaction");
  return isThere && occurrence !== "-";
}

function addFaultOfChoice({ names, exactlyOne }: Choice, members: Members, at: Place): void {
  const given = names.filter((name) => isGiven(members[name])).length;
  if (given === 0) addFault("FIELD_MISSING", at, `has none of ${names.join(", ")}`);
  if (given > 1 && exactlyOne) addInvalid(at, `has more than one of ${names.join(", ")}`);
}

/** Null is absent. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function addInvalid(at: Place, wrong: string): void {
  addFault("FIELD_INVALID", at, wrong);
}

function addFault(code: CobsErrorCode, { path, faults }: Place, wrong: string): void {
  faults.push({ code, path: path === "" ? undefined : path, message: `${path} ${wrong}`.trimStart() });
}

function memberOf({ path, faults }: Place, name: string): Place {
  return { path: path === "" ? name : `${path}.${name}`, faults };
}

function itemOf({ path, faults }: Place, position: number): Place {
  return { path: `${path}[${position}]`, faults };
}

/** A strange name is not repeated. */
function unknownOf(at: Place, name: string): Place {
  return PLAIN_NAME.test(name) ? memberOf(at, name) : at;
}
