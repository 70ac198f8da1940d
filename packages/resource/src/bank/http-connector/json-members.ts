/**
 * Reading JSON of a stranger: each function gives a value of the wanted kind or throws `UnbelievableAnswer`, which says
 * where and what was expected, never what was there.
 */
import { isWithin } from "@cobs/cobs-model";
import { isJsonObject, type JsonObject } from "@cobs/service-edge";

export { isJsonObject, type JsonObject };

/** An answer is not what the contract says; `message` names the place in it. */
export class UnbelievableAnswer extends Error {
  /** That of `core-contract/README.md` which it breaks; undefined where that is the one of the form of the answer. */
  readonly clause: string | undefined;

  constructor(message: string, { clause, ...options }: ErrorOptions & { readonly clause?: string } = {}) {
    super(message, options);
    this.name = "UnbelievableAnswer";
    this.clause = clause;
  }
}

/** An answer does not name what was asked about; it may be that to another question. */
export class MisnamedAnswer extends UnbelievableAnswer {
  constructor(message: string) {
    super(message, { clause: "1.6" });
  }
}

/** Reads an object. */
export function requireObject(value: unknown, path: string): JsonObject {
  if (isJsonObject(value)) return value;
  refuse(value, path, "is not an object");
}

/** Says that a member is absent where it is, and what it should be where it is something else. */
export function refuse(value: unknown, path: string, otherwise: string): never {
  throw new UnbelievableAnswer(`${path} ${value === undefined ? "is missing" : otherwise}`);
}

/**
 * Requires of an answer that it names what was asked about, letter for letter. Two answers that a core system, or a proxy before
 * it, has mixed up would tell one PSU what another has.
 */
export function requireNamed(answer: unknown, about: Readonly<Record<string, string>>): void {
  const told = requireObject(answer, "answer");
  for (const [name, asked] of Object.entries(about)) {
    if (told[name] === undefined) throw new MisnamedAnswer(`${name} is missing`);
    if (told[name] !== asked) throw new MisnamedAnswer(`${name} names another than was asked about`);
  }
}

/** Reads a list of at most so many members, each with a function. */
export function requireList<T>(
  value: unknown,
  { path, most }: { readonly path: string; readonly most: number },
  read: (member: unknown, path: string) => T,
): readonly T[] {
  if (!Array.isArray(value)) refuse(value, path, "is not a list");
  if (value.length > most) throw new UnbelievableAnswer(`${path} has more than ${most} members`);
  return value.map((member, at) => read(member, `${path}[${at}]`));
}

/** Reads a text of one to `most` characters, however many units each is written in (JSON Schema `maxLength`). */
export function requireText(value: unknown, path: string, most: number): string {
  if (typeof value === "string" && value !== "" && isWithin(value, most)) return value;
  refuse(value, path, `is not a text of 1 to ${most} characters`);
}

/** Reads one of some words. */
export function requireOneOf<Word extends string>(
  value: unknown,
  path: string,
  words: readonly Word[],
): Word {
  const word = words.find((each) => each === value);
  if (word !== undefined) return word;
  refuse(value, path, `is none of ${words.join(", ")}`);
}

/** Reads a number of things. */
export function requireCount(value: unknown, path: string): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  refuse(value, path, "is not a whole number from zero up");
}

/** Reads true or false. */
export function requireBoolean(value: unknown, path: string): boolean {
  if (typeof value === "boolean") return value;
  refuse(value, path, "is neither true nor false");
}

/** Reads a value that may be null. Absent is not null: an answer says what it does not know. */
export function requireOrNull<T>(
  value: unknown,
  path: string,
  read: (value: unknown, path: string) => T,
): T | null {
  if (value === undefined) throw new UnbelievableAnswer(`${path} is missing, and not null`);
  return value === null ? null : read(value, path);
}

/** Refuses a value that comes twice. */
export function requireEachOnce(values: readonly string[], what: string): void {
  if (new Set(values).size < values.length) throw new UnbelievableAnswer(`${what} comes twice`);
}
