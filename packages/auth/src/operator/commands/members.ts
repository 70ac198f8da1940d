import { byNumber, legibleLine } from "../legible.ts";

/** Members of a JSON object, in their order; empty for anything else. */
export type Members = Readonly<Record<string, unknown>>;

/** Reads the members of a value from a service's answer. */
export const membersOf = (value: unknown): Members => Object.fromEntries(Object.entries(value ?? {}));

/** Parses a service's answer, whose members may have any value. */
export const parseAnswer = (json: string): Members => membersOf(JSON.parse(json));

/** Characters that separate members and columns. */
const SEPARATORS = /·|(?<= ) |(?! )\p{Zs}/gu;

/** Formats a member for people in one line; a dash when empty. No text in it can pass for another member or column. */
export function presentValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "-";
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.map(presentValue).join(", ");
  if (typeof value !== "object") return legibleLine(String(value)).replace(SEPARATORS, byNumber);
  return Object.entries(membersOf(value))
    .map(([name, inner]) => `${name} ${presentValue(inner)}`)
    .join(" · ");
}
