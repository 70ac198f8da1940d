import { hasUnsafeCharacters } from "@cobs/cobs-model";
import { isJsonObject } from "./json-members.ts";

const LINE_BREAKS = /\r\n|[\t\n\v\f\r\u0085\p{Zl}\p{Zp}]/gu;
const NO_SIGNS = /[\p{Cc}\p{Cs}]/gu;
const MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Table: the members of the details of a transaction that are texts for people, wherever they stand (COBS 3.1.5.1, 4.9 to 4.13).
 * Of the number of an account or a bank, a code or an amount, another one would be told with a sign left out: each is acted
 * on, and is refused instead (clause 5.1).
 */
const TEXTS: ReadonlySet<string> = new Set([
  "name",
  "streetName",
  "buildingNumber",
  "postCode",
  "townName",
  "addressLine",
  "proprietary",
  "issuer",
  "unstructured",
  "additionalTransactionInformation",
  "cs",
  "en",
]);

/**
 * The same details with all texts for people in one line, a space for a break, without the marks that reorder text, which come
 * along where somebody pastes a number, and U+FFFD for a control character or half a sign, which is left where a text was cut
 * within it: strict readers would refuse a whole page for one. Whatever needs none of it is the same object still.
 */
export function withTellableTexts(value: unknown, isText = false): unknown {
  if (typeof value === "string") return isText ? tellableText(value) : value;
  if (Array.isArray(value)) {
    const items = value.map((item) => withTellableTexts(item, isText));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(
    ([name, member]) => [name, withTellableTexts(member, TEXTS.has(name))] as const,
  );
  return members.every(([name, member]) => member === value[name]) ? value : Object.fromEntries(members);
}

/** The same of one text. */
export function tellableText(text: string): string {
  if (!hasUnsafeCharacters(text)) return text;
  return text.replace(LINE_BREAKS, " ").replace(MARKS, "").replace(NO_SIGNS, "\ufffd");
}
