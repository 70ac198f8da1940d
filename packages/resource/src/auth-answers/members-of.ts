import { isJsonObject, type JsonObject } from "@cobs/service-edge";
import type { AuthAnswerRefusal } from "./auth-answer-refusal.ts";

/** Reads an object in an answer of auth; throws a `TypeError` with its name if it is not one. */
export function membersOf(value: unknown, name: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new TypeError(`${name} is not an object`);
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
  parse: (members: JsonObject) => T,
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
export function textIn(members: JsonObject, name: string): string {
  const value = members[name];
  if (typeof value === "string") return value;
  throw new TypeError(`${name} is not a string`);
}

/** Reads a list member, whose entries are still unknown; throws a `TypeError` for anything else. */
export function listIn(members: JsonObject, name: string): readonly unknown[] {
  const value = members[name];
  if (Array.isArray(value)) return value;
  throw new TypeError(`${name} is not a list`);
}
