/** Parses one of our files; throws a `TypeError` that names it but repeats none of its content, which may be secret. */
export function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TypeError(`${file}: must be JSON`);
  }
}

/** Reads the members of one JSON object; each method throws a `TypeError` that says where, and what was expected. */
export type JsonMembers = {
  value(member: string): unknown;
  text(member: string): string;
  number(member: string): number;
  oneOf<T extends string>(member: string, allowed: readonly T[]): T;
  listOf<T extends string>(member: string, allowed: readonly T[]): readonly T[];
};

/** Opens a JSON object of our own; messages say `where`. */
export function jsonMembers(json: unknown, where: string): JsonMembers {
  if (typeof json !== "object" || json === null) throw new TypeError(`${where}: must be an object`);
  const members = new Map<string, unknown>(Object.entries(json));
  const refuse = (member: string, expected: string): never => {
    throw new TypeError(`${where}: ${member} must be ${expected}`);
  };
  const value = (member: string) => (members.has(member) ? members.get(member) : refuse(member, "present"));
  const allowedItem = <T extends string>(member: string, item: unknown, allowed: readonly T[]): T =>
    allowed.find((candidate) => candidate === item) ?? refuse(member, `one of ${allowed.join(", ")}`);
  return {
    value,
    text(member) {
      const found = value(member);
      return typeof found === "string" ? found : refuse(member, "a string");
    },
    number(member) {
      const found = value(member);
      return typeof found === "number" ? found : refuse(member, "a number");
    },
    oneOf: (member, allowed) => allowedItem(member, value(member), allowed),
    listOf(member, allowed) {
      const found = value(member);
      if (!Array.isArray(found)) return refuse(member, "a list");
      return found.map((item: unknown) => allowedItem(member, item, allowed));
    },
  };
}
