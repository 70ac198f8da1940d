import { hasUnsafeCharacters } from "@cobs/cobs-model";
import { isJsonObject } from "./json-members.ts";

const LINE_BREAKS = /\r\n|[\t\n\v\f\r\u0085\p{Zl}\p{Zp}]/gu;
const NO_SIGNS = /[\p{Cc}\p{Cs}]/gu;
const MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Table: members of a transaction's details that are texts for people, wherever they are (COBS 3.1.5.1, 4.9 to 4.13). Numbers
 * of accounts and banks, codes and amounts are not among them: leaving out a sign would make another value. They are acted on,
 * so they are refused instead (clause 5.1).
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
 * Cleans all texts for people, because strict readers would refuse a whole page for one character. A line break becomes a
 * space. Marks that reorder text, which come along when somebody pastes a number, are dropped. A control character or half a
 * surrogate pair, left where a text was cut, becomes U+FFFD. A value that needs no change is returned as the same object.
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

/** Cleans one text. */
export function tellableText(text: string): string {
  if (!hasUnsafeCharacters(text)) return text;
  return text.replace(LINE_BREAKS, " ").replace(MARKS, "").replace(NO_SIGNS, "\ufffd");
}
