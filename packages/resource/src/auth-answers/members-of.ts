import type { AuthAnswerRefusal } from "./auth-answer-refusal.ts";

/** The members of an object in an answer of auth; their values are still unknown. */
export type Members = ReadonlyMap<string, unknown>;

/** Reads an object; throws a `TypeError` with its name if it is not one. */
export function membersOf(value: unknown, name: string): Members {
  if (typeof value !== "object" || value === null) throw new TypeError(`${name} is not an object`);
  return new Map<string, unknown>(Object.entries(value));
}

/** Refusal class and code to throw when an answer cannot be read. */
type Unreadable<Code extends string> = readonly [
  Refusal: new (code: Code, detail: string, options: ErrorOptions) => AuthAnswerRefusal<Code>,
  code: Code,
];

/**
 * Reads a text that holds a JSON object. Throws the given refusal if it does not, or if `parse` throws; the refusal repeats
 * nothing from the text.
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

// The error of JSON.parse repeats a part of the text, which names PSUs.
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TypeError("the answer is not JSON");
  }
}

/** Reads a text member; throws a `TypeError` for anything else. */
export function textIn(members: Members, name: string): string {
  const value = members.get(name);
  if (typeof value === "string") return value;
  throw new TypeError(`${name} is not a string`);
}
