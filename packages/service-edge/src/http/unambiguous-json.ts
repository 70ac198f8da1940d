import { isExactLiteral } from "./exact-literal.ts";

const [QUOTE, COLON, MINUS, ZERO, NINE] = [0x22, 0x3a, 0x2d, 0x30, 0x39];
const AFTER_NUMBER = /[^-+.\deE]/g;

/** Bounds that a JSON text must keep. */
export interface JsonBounds {
  readonly maxDepth: number;
  /** Whether every number must be one that JavaScript can hold. */
  readonly exactNumbers: boolean;
}

/**
 * Returns the value of a text about which no two parsers disagree: it is JSON, no member name comes twice in an object or is
 * `__proto__`, and it keeps the bounds. Undefined if that is not so, or needs a closer look.
 *
 * A valid text has one colon outside its strings for each member, so the value has fewer members than that if names are
 * repeated.
 */
export function parseUnambiguous(text: string, bounds: JsonBounds): { readonly value: unknown } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const members = countMembers(value, bounds.maxDepth);
  return members === countColons(text, bounds.exactNumbers) ? { value } : undefined;
}

/** Counts the members of a value; NaN if it is deeper than `levels`, or a member is named `__proto__`. */
function countMembers(value: unknown, levels: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (levels === 0 || Object.hasOwn(value, "__proto__")) return Number.NaN;
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let members = Array.isArray(value) ? 0 : parts.length;
  for (const part of parts) members += countMembers(part, levels - 1);
  return members;
}

/** Counts the colons outside the strings of a valid text; undefined if a number is not as exact as required. */
function countColons(text: string, exactNumbers: boolean): number | undefined {
  let colons = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COLON) colons += 1;
    else if (exactNumbers && (code === MINUS || (code >= ZERO && code <= NINE))) {
      const end = endOfNumber(text, at);
      if (!isExactLiteral(text.slice(at, end))) return undefined;
      at = end - 1;
    }
  }
  return colons;
}

/** Finds the quotation mark that ends a string. */
function endOfString(text: string, begin: number): number {
  let end = text.indexOf('"', begin + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

/** Whether an odd number of backslashes precedes a character. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === "\\") before -= 1;
  return (at - before) % 2 === 1;
}

function endOfNumber(text: string, begin: number): number {
  AFTER_NUMBER.lastIndex = begin;
  return AFTER_NUMBER.exec(text)?.index ?? text.length;
}
