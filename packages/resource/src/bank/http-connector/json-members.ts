/**
 * Reads untrusted JSON: each function gives a value of the wanted kind or throws `UnbelievableAnswer`, which says where and
 * what was expected, never what was there.
 */
import { ContentRefusal, isWithin, parseAccountId } from "@cobs/cobs-model";
import { isJsonObject, type JsonObject } from "@cobs/service-edge";

export { isJsonObject, type JsonObject };

/** An answer breaks the contract; `message` names the place in it. */
export class UnbelievableAnswer extends Error {
  /** The clause of `core-contract/README.md` that the answer breaks; undefined means the clause on its form. */
  readonly clause: string | undefined;

  constructor(message: string, { clause, ...options }: ErrorOptions & { readonly clause?: string } = {}) {
    super(message, options);
    this.name = "UnbelievableAnswer";
    this.clause = clause;
  }
}

/** An answer does not name what was asked about; it may belong to another question. */
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

/** Throws that a member is missing, or if it is there, what it should be. */
export function refuse(value: unknown, path: string, otherwise: string): never {
  throw new UnbelievableAnswer(`${path} ${value === undefined ? "is missing" : otherwise}`);
}

/**
 * Requires an answer to repeat exactly what was asked about. If a core system, or a proxy before it, mixed up two answers, one
 * PSU would see another's data.
 */
export function requireNamed(answer: unknown, about: Readonly<Record<string, string>>): void {
  const told = requireObject(answer, "answer");
  for (const [name, asked] of Object.entries(about)) {
    if (told[name] === undefined) throw new MisnamedAnswer(`${name} is missing`);
    if (told[name] !== asked) throw new MisnamedAnswer(`${name} is not the one that was asked about`);
  }
}

/** Reads a list of at most `most` members, each with a function. */
export function requireList<T>(
  value: unknown,
  { path, most }: { readonly path: string; readonly most: number },
  read: (member: unknown, path: string) => T,
): readonly T[] {
  if (!Array.isArray(value)) refuse(value, path, "is not a list");
  if (value.length > most) throw new UnbelievableAnswer(`${path} has more than ${most} members`);
  return value.map((member, at) => read(member, `${path}[${at}]`));
}

/** Reads a text of one to `most` characters, counted as code points (JSON Schema `maxLength`). */
export function requireText(value: unknown, path: string, most: number): string {
  if (typeof value === "string" && value !== "" && isWithin(value, most)) return value;
  refuse(value, path, `must be text of 1 to ${most} characters`);
}

/** Reads one of the given words. */
export function requireOneOf<Word extends string>(
  value: unknown,
  path: string,
  words: readonly Word[],
): Word {
  const word = words.find((each) => each === value);
  if (word !== undefined) return word;
  refuse(value, path, `must be one of ${words.join(", ")}`);
}

/** Reads a non-negative safe integer. */
export function requireCount(value: unknown, path: string): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  refuse(value, path, "must be a whole number, zero or more");
}

export function requireBoolean(value: unknown, path: string): boolean {
  if (typeof value === "boolean") return value;
  refuse(value, path, "must be true or false");
}

/** Throws that a member is missing which may be null. */
export function refuseAbsent(path: string): never {
  throw new UnbelievableAnswer(`${path} is missing; it may be null, but not absent`);
}

/** Reads a value that may be null but not missing: an answer says what it does not know. */
export function requireOrNull<T>(
  value: unknown,
  path: string,
  read: (value: unknown, path: string) => T,
): T | null {
  if (value === undefined) refuseAbsent(path);
  return value === null ? null : read(value, path);
}

/** Throws if a value comes twice, with what `repeats` says of the place where it comes again. */
export function requireEachOnce(values: readonly string[], repeats: (place: number) => string): void {
  if (new Set(values).size === values.length) return;
  throw new UnbelievableAnswer(repeats(values.findIndex((value, at) => values.indexOf(value) < at)));
}

/** Reads with a parser of the model, which refuses by saying what a value is not: `otherwise` says what it must be. */
export function requireParsed<T>(parse: (value: unknown, path: string) => T, otherwise: string) {
  return (value: unknown, path: string): T => {
    try {
      return parse(value, path);
    } catch (cause) {
      if (!(cause instanceof ContentRefusal)) throw cause;
      refuse(value, path, otherwise);
    }
  };
}

/** Reads the id of an account. */
export const requireAccountId = requireParsed(
  parseAccountId,
  "must be text of 1 to 64 letters, digits, - and _",
);
