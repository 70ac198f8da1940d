/** The members of an object in an answer of auth; what they hold is unknown still. */
export type Members = ReadonlyMap<string, unknown>;

/** Reads an object; throws a `TypeError` for anything else. */
export function membersOf(value: unknown): Members {
  if (typeof value !== "object" || value === null) throw new TypeError("not an object");
  return new Map<string, unknown>(Object.entries(value));
}
