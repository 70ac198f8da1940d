/**
 * What a transaction must, may and must not have, by its kind (COBS 3.1.5.1). It owns the reading of a transaction where
 * one enters, from a core system or a seed, so that everything inside can be told to a TPP as it is; the rules themselves
 * are the table in `transaction-elements.ts`.
 */
import { type ElementNode, growTree } from "./element-tree.ts";
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

/** The order of the columns of the table. */
const FAMILIES: readonly TransactionFamily[] = ["plain", "fee", "domestic", "sepa", "foreign"];
const PLAIN_NAME = /^[A-Za-z]\w{0,63}$/;
const TRANSACTION = growTree(TRANSACTION_ELEMENTS);

type Members = readonly (readonly [string, unknown])[];

/** A transaction while it is read: its column of the table, and the faults found so far. */
type Reading = { readonly column: number; readonly isDirectDebit: boolean; readonly faults: Fault[] };

/**
 * Reads a transaction that is stored or handed over (`TransactionJson`, with null for what is absent), or refuses with
 * every fault by its path below `path`: FIELD_MISSING where the kind of transaction needs an element, FIELD_INVALID where
 * it must not have it, where the standard has no such element, and where the format is another (COBS 3.1.5.1, 9.1).
 * Without a code nobody knows the kind, and the details are not looked at.
 */
export function requireTransaction(value: unknown, path = ""): Transaction {
  const code = isObject(value) ? findTransactionCode(value.code) : undefined;
  const reading = openReading(code);
  const known = code === undefined && isObject(value) ? { ...value, details: null } : value;
  const read = readElement(TRANSACTION, known, path, reading);
  if (code === undefined || !isProven(read, reading.faults)) throw new ContentRefusal(reading.faults);
  return makeTransaction(read, code);
}

function openReading(code: TransactionCode | undefined): Reading {
  const column = code === undefined ? 0 : FAMILIES.indexOf(familyOf(code));
  return { column, isDirectDebit: code !== undefined && isDirectDebit(code), faults: [] };
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
function readElement(node: ElementNode, value: unknown, path: string, reading: Reading): unknown {
  const { format } = node;
  if (format.most === undefined) return readItem(node, value, path, reading);
  if (Array.isArray(value) && value.length >= 1 && value.length <= format.most)
    return value.map((item: unknown, position) => readItem(node, item, `${path}[${position}]`, reading));
  addInvalid(reading, path, `is not an array of 1 to ${format.most} items`);
  return undefined;
}

function readItem(node: ElementNode, value: unknown, path: string, reading: Reading): unknown {
  const { accepts, wrong, member } = node.format;
  if (!accepts(value))
    addInvalid(reading, member !== undefined && isObject(value) ? join(path, member) : path, wrong);
  return node.children.size > 0 && isObject(value) ? readMembers(node, value, path, reading) : value;
}

function readMembers(node: ElementNode, value: object, path: string, reading: Reading): object {
  const members = new Map(Object.entries(value).filter(([, each]) => each !== null && each !== undefined));
  for (const name of members.keys())
    if (!node.children.has(name))
      addInvalid(reading, pathOfUnknown(path, name), "is no element of the standard");
  addFaultsOfChoice(node, members, path, reading);
  return Object.fromEntries(
    [...node.children.values()].flatMap((child) => readMember(child, members.get(child.name), path, reading)),
  );
}

/** An empty text is known to be nothing (PDF 1.2.3), which is not enough where the standard wants something. */
function readMember(child: ElementNode, member: unknown, path: string, reading: Reading): Members {
  const occurrence = occurrenceOf(child, reading);
  const at = join(path, child.name);
  if (member === undefined || (member === "" && occurrence === "M")) {
    if (occurrence === "M") addFault(reading, "FIELD_MISSING", at, "is missing");
    return [];
  }
  if (occurrence === "-") {
    addInvalid(reading, at, "is not used by this kind of transaction");
    return [];
  }
  return [[child.name, readElement(child, member, at, reading)]];
}

function addFaultsOfChoice(
  node: ElementNode,
  members: ReadonlyMap<string, unknown>,
  path: string,
  reading: Reading,
): void {
  for (const letter of ["C", "A"]) {
    const children = [...node.children.values()].filter((child) => occurrenceOf(child, reading) === letter);
    const names = children.map(({ name }) => name);
    const given = names.filter((name) => members.has(name));
    if (names.length > 0 && given.length === 0)
      addFault(reading, "FIELD_MISSING", path, `has none of ${names.join(", ")}`);
    if (letter === "C" && given.length > 1)
      addInvalid(reading, path, `has more than one of ${names.join(", ")}`);
  }
}

function occurrenceOf(node: ElementNode, reading: Reading): string | undefined {
  const letter = node.occurrences[reading.column];
  if (letter !== "D") return letter;
  return reading.isDirectDebit ? "O" : "-";
}

function addInvalid(reading: Reading, path: string, wrong: string): void {
  addFault(reading, "FIELD_INVALID", path, wrong);
}

function addFault(reading: Reading, code: CobsErrorCode, path: string, wrong: string): void {
  reading.faults.push({
    code,
    path: path === "" ? undefined : path,
    message: `${path} ${wrong}`.trimStart(),
  });
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** A strange name is not repeated. */
function pathOfUnknown(path: string, name: string): string {
  return PLAIN_NAME.test(name) ? join(path, name) : path;
}
