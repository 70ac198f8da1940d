import type { AuthAnswerRefusal } from "./auth-answer-refusal.ts";

/** The members of an object in an answer of auth; what they hold is unknown still. */
export type Members = ReadonlyMap<string, unknown>;

/** Reads an object; throws a `TypeError` with its name for anything else. */
export function membersOf(value: unknown, name: string): Members {
  if (typeof value !== "object" || value === null) throw new TypeError(`${name} is not an object`);
  return new Map<string, unknown>(Object.entries(value));
}

/** What is thrown where an answer cannot be read. */
type Unreadable<Code extends string> = readonly [
  Refusal: new (code: Code, detail: string, options: ErrorOptions) => AuthAnswerRefusal<Code>,
  code: Code,
];

/**
 * Reads a text with a JSON object; refuses so where it is none, and where `parse` throws. Nothing of the text is
 * in the refusal.
 */
export function readMembers<T, Code extends string>(
  text: string,
  [Refusal, code]: Unreadable<Code>,
  parse: (members: Members) => T,
): T {
  try {
    return parse(membersOf(parseJson(text), "the answer"));
  } catch (cause) {
    throw new Refusal(code, cause instanceof Error ? cause.message : "unreadable", { cause });
  }
}

// The error of JSON.parse repeats a part of the text, in which PSUs are named.
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TypeError("the answer is not JSON");
  }
}

/** Reads a member that is a text; throws a `TypeError` for anything else. */
export function textIn(members: Members, name: string): string {
  const value = members.get(name);
  if (typeof value === "string") return value;
  throw new TypeError(`${name} is not a text`);
}
