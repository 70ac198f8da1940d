import { isJsonObject } from "./json-members.ts";

const LINE_BREAKS = /\r\n|[\t\n\v\f\r\u0085\p{Zl}\p{Zp}]/gu;
const HALF_SIGNS = /\p{Cs}/gu;
const UNTELLABLE = /[\t\n\v\f\r\u0085\p{Zl}\p{Zp}\p{Cs}]/u;

/**
 * The same value with all of its texts in one line, a space for a break, and U+FFFD for half a sign, which is left where a text was
 * cut within it: strict readers would refuse a whole page for one. Whatever needs neither is the same object still.
 */
export function withTellableTexts(value: unknown): unknown {
  if (typeof value === "string") return UNTELLABLE.test(value) ? inOneLine(value) : value;
  if (Array.isArray(value)) {
    const items = value.map(withTellableTexts);
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withTellableTexts(member)] as const);
  return members.every(([name, member]) => member === value[name]) ? value : Object.fromEntries(members);
}

function inOneLine(text: string): string {
  return text.replace(LINE_BREAKS, " ").replace(HALF_SIGNS, "\ufffd");
}
