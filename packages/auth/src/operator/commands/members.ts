import { byNumber, legibleLine } from "../legible.ts";

/** Members of a JSON object, in their order; empty for anything else. */
export type Members = ReadonlyMap<string, unknown>;

/** Reads the members of a value from a service's answer. */
export const membersOf = (value: unknown): Members => new Map<string, unknown>(Object.entries(value ?? {}));

/** Characters that separate members and columns. */
const SEPARATORS = /·|(?<= ) |(?! )\p{Zs}/gu;

/** Formats a member for people in one line; a dash when empty. No text in it can pass for another member or column. */
export function presentValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "-";
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.map(presentValue).join(", ");
  if (typeof value !== "object") return legibleLine(String(value)).replace(SEPARATORS, byNumber);
  return [...membersOf(value)].map(([name, inner]) => `${name} ${presentValue(inner)}`).join(" · ");
}
