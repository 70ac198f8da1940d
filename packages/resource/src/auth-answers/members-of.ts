import type { AuthAnswerRefusal } from "./auth-answer-refusal.ts";

/** The members of an object in an answer of auth; what they hold is unknown still. */
export type Members = ReadonlyMap<string, unknown>;

/** Reads an object; throws a `TypeError` for anything else. */
export function membersOf(value: unknown): Members {
  if (typeof value !== "object" || value === null) throw new TypeError("not an object");
  return new Map<string, unknown>(Object.entries(value));
}

/** What is thrown where an answer cannot be read. */
type Unreadable<Code extends string> = readonly [
  Refusal: new (code: Code, detail: string, options: ErrorOptions) => AuthAnswerRefusal<Code>,
  code: Code,
];

/** Reads a text with a JSON object; refuses so where it is none, and where `parse` throws. */
export function readMembers<T, Code extends string>(
  text: string,
  [Refusal, code]: Unreadable<Code>,
  parse: (members: Members) => T,
): T {
  try {
    return parse(membersOf(JSON.parse(text)));
  } catch (cause) {
    throw new Refusal(code, cause instanceof Error ? cause.message : "unreadable", { cause });
  }
}

/** Reads a member that is a text; throws a `TypeError` for anything else. */
export function textIn(members: Members, name: string): string {
  const value = members.get(name);
  if (typeof value === "string") return value;
  throw new TypeError(`${name} is no text`);
}
