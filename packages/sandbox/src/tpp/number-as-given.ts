import { randomUUID } from "node:crypto";
import { TppRefusal } from "./tpp-refusal.ts";

/** The digits of a number, sent unchanged: a 64-bit float would not keep them all. */
export interface NumberAsGiven {
  readonly digits: string;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Accepts a JSON number (RFC 8259) with its zeros; refuses with `usage` for anything else. */
export function requireNumber(text: string): NumberAsGiven {
  if (NUMBER.test(text)) return { digits: text };
  throw new TppRefusal("usage", `${text} is not an amount`, "For example: 1500.50");
}

/** Writes JSON in which such numbers keep their digits. */
export function writeWithNumber(body: unknown): string {
  const mark = randomUUID();
  const text = JSON.stringify(body, (_, value) => (isGiven(value) ? `${mark}${value.digits}` : value));
  return text.replace(new RegExp(`"${mark}([^"]+)"`, "g"), "$1");
}

function isGiven(value: unknown): value is NumberAsGiven {
  return typeof value === "object" && value !== null && "digits" in value && typeof value.digits === "string";
}
