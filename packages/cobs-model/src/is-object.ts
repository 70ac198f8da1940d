import { isReadNumber } from "./money.ts";

/** Whether a value is an object with members, and not the text of a number that was read. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isReadNumber(value);
}
