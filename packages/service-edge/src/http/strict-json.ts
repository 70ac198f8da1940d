import { randomUUID } from "node:crypto";
import { type JSONVisitor, visit } from "jsonc-parser";
import { describeJsonFault } from "./describe-json-fault.ts";
import { EdgeRefusal } from "./edge-refusal.ts";
import { isExactLiteral } from "./exact-literal.ts";
import { parseUnambiguous } from "./unambiguous-json.ts";

const MAX_DEPTH = 32;

/** Makes a value from the text of a number that JavaScript's numbers would change. */
export type KeepNumber = (literal: string) => unknown;

interface Place {
  readonly offset: number;
  readonly end: number;
}

function refuse(reason: string): never {
  throw new EdgeRefusal("body_malformed", `the body is not acceptable JSON: ${reason}`);
}

/** Refuses at a place that the parser counts from 0, but people and editors from 1. */
function refuseAt(line: number, column: number, reason: string): never {
  refuse(`at line ${line + 1}, column ${column + 1}, ${reason}`);
}

/** Checks the structure while the text is scanned, so that depth is bounded before anything is built. */
function structureVisitor(): JSONVisitor {
  const open: (Set<string> | undefined)[] = [];
  const enter = (names: Set<string> | undefined, line: number, column: number) => {
    if (open.push(names) > MAX_DEPTH) refuseAt(line, column, `it is nested deeper than ${MAX_DEPTH} levels`);
  };
  return {
    onObjectBegin: (_offset, _length, line, column) => enter(new Set(), line, column),
    onArrayBegin: (_offset, _length, line, column) => enter(undefined, line, column),
    onObjectEnd: () => void open.pop(),
    onArrayEnd: () => void open.pop(),
    onObjectProperty: (name, _offset, _length, line, column) => {
      const names = open.at(-1);
      if (names?.has(name)) refuseAt(line, column, "a member name is repeated");
      if (name === "__proto__") refuseAt(line, column, "the member name __proto__ is not allowed");
      names?.add(name);
    },
    onError: (code, _offset, _length, line, column) => refuseAt(line, column, describeJsonFault(code)),
  };
}

/**
 * Parses JSON (RFC 8259) and refuses what parsers disagree about: repeated member names, `__proto__`, comments, trailing
 * commas, more than 32 levels. Refuses with `body_malformed`, naming the line, the column and the fault there.
 *
 * A number that a 64-bit number cannot hold (RFC 8259 section 6) becomes the nearest one or, with `keepNumber`, what that
 * function makes of its text.
 */
export function parseStrictJson(text: string, keepNumber?: KeepNumber): unknown {
  const bounds = { maxDepth: MAX_DEPTH, exactNumbers: keepNumber !== undefined };
  const plain = parseUnambiguous(text, bounds);
  return plain === undefined ? parseClosely(text, keepNumber) : plain.value;
}

/** Checks each token: reports what is wrong with the text, or keeps the numbers that must be kept. */
function parseClosely(text: string, keepNumber: KeepNumber | undefined): unknown {
  const inexact: Place[] = [];
  const onLiteralValue = (value: unknown, offset: number, length: number) => {
    if (typeof value !== "number" || isExactLiteral(text.slice(offset, offset + length))) return;
    inexact.push({ offset, end: offset + length });
  };
  visit(
    text,
    { ...structureVisitor(), ...(keepNumber && { onLiteralValue }) },
    { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false },
  );
  try {
    if (keepNumber === undefined || inexact.length === 0) return JSON.parse(text);
    return parseKeeping(text, inexact, keepNumber);
  } catch {
    return refuse("it does not follow RFC 8259");
  }
}

/**
 * Parses with marker texts in the places of such numbers. A caller cannot send a marker, because its beginning is made here.
 */
function parseKeeping(text: string, places: readonly Place[], keepNumber: KeepNumber): unknown {
  const mark = `${randomUUID()}:`;
  const starts = [0, ...places.map(({ end }) => end)];
  const marked = places.map(
    ({ offset, end }, index) => `${text.slice(starts[index], offset)}"${mark}${text.slice(offset, end)}"`,
  );
  return JSON.parse(marked.join("") + text.slice(starts.at(-1)), (_name, value: unknown) =>
    typeof value === "string" && value.startsWith(mark) ? keepNumber(value.slice(mark.length)) : value,
  );
}
