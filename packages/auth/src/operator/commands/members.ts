import { byNumber, legibleLine } from "../legible.ts";

/** The members of a JSON object, in their order; none of anything else. */
export type Members = ReadonlyMap<string, unknown>;

/** Reads the members of a value that came from a service. */
export const membersOf = (value: unknown): Members => new Map<string, unknown>(Object.entries(value ?? {}));

/** What stands between members and between columns. */
const SEPARATORS = /·|(?<= ) |(?! )\p{Zs}/gu;

/** A member as people read it, in one line; a dash stands for nothing. No text in it goes on as another member or column. */
export function presentValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "-";
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.map(presentValue).join(", ");
  if (typeof value !== "object") return legibleLine(String(value)).replace(SEPARATORS, byNumber);
  return [...membersOf(value)].map(([name, inner]) => `${name} ${presentValue(inner)}`).join(" · ");
}
