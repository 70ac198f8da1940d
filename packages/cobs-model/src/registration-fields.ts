import type { RegistrationErrorCode, RegistrationFault } from "./refusal.ts";
import { BLANK_SIGNS, hasUnsafeCharacters } from "./text.ts";
import { findUri, URI_IN_WORDS } from "./uri.ts";

/** A registration being read: its members (null counts as absent) and the faults found so far. */
export type Reading = {
  readonly fields: ReadonlyMap<string, unknown>;
  readonly faults: RegistrationFault[];
};

/** Rule for an array, and the fault text for an item that `readItem` refuses. */
export type ListRule<Item> = {
  readonly maxItems: number;
  readonly code: RegistrationErrorCode;
  readonly wrong: string;
  /** More specific fault text for some such items; undefined for the others. */
  readonly wrongOf?: (item: unknown) => string | undefined;
  readonly readItem: (item: unknown) => Item | undefined;
};

/** Fillers and blank signs, which count as letters, marks or signs but are drawn as nothing. */
const UNSEEN = String.raw`[\p{Default_Ignorable_Code_Point}${BLANK_SIGNS}]`;
const VISIBLE = new RegExp(String.raw`(?!${UNSEEN})[\p{L}\p{N}\p{P}\p{S}]`, "u");
const BLANK = new RegExp(UNSEEN, "u");
/** Both sides of the `@` may have letters of any language (RFC 6531, RFC 5890). */
const EMAIL =
  /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{M}\p{N}-]{1,63}(?:\.[\p{L}\p{M}\p{N}-]{1,63})*$/u;

/** Opens the body for reading; anything but an object gives a fault and no members. */
export function openReading(body: unknown): Reading {
  if (typeof body === "object" && body !== null && !Array.isArray(body)) {
    return { fields: new Map(Object.entries(body).filter(([, value]) => value !== null)), faults: [] };
  }
  return {
    fields: new Map(),
    faults: [{ code: "invalid_request", path: undefined, message: "the body is not a JSON object" }],
  };
}

/** Adds a fault at a path; the message never repeats what was sent. */
export function addFault(reading: Reading, path: string, wrong: string, code?: RegistrationErrorCode): void {
  reading.faults.push({ code: code ?? "invalid_request", path, message: `${path} ${wrong}` });
}

/** Reads display text of 1 to `bytes` bytes of UTF-8; markup is data, control characters are a fault. */
export function readText(reading: Reading, name: string, bytes: number): string | null {
  const value = reading.fields.get(name);
  if (value === undefined) return null;
  if (typeof value === "string" && isText(value, bytes)) return value;
  const wrong = `must be text of 1 to ${bytes} bytes with a visible character`;
  addFault(reading, name, `${wrong}, without control characters or marks that reorder text`);
  return null;
}

/** Reads an https address of at most 2,047 bytes. */
export function readHttpsUri(reading: Reading, name: string): string | null {
  const value = reading.fields.get(name);
  if (value === undefined) return null;
  if (typeof value === "string" && findUri(value)?.scheme === "https") return value;
  addFault(reading, name, `must be an https URI without user information, ${URI_IN_WORDS}`);
  return null;
}

/** Reads an e-mail address of at most 320 bytes. */
export function readEmail(reading: Reading, name: string): string | null {
  const value = reading.fields.get(name);
  if (value === undefined) return null;
  if (typeof value === "string" && isText(value, 320) && isEmail(value)) return value;
  addFault(reading, name, "must be an e-mail address alone, such as api@tpp.example, of at most 320 bytes");
  return null;
}

/** Reads an array of one to `maxItems` items, with a fault for each that is refused; null if absent. */
export function readList<Item>(reading: Reading, name: string, rule: ListRule<Item>): readonly Item[] | null {
  const value = reading.fields.get(name);
  if (value === undefined) return null;
  // The length is checked first, so that a thousand items give one fault.
  if (!Array.isArray(value) || value.length === 0 || value.length > rule.maxItems) {
    const code = Array.isArray(value) ? rule.code : undefined;
    addFault(reading, name, `is not an array of 1 to ${rule.maxItems} items`, code);
    return null;
  }
  return value.flatMap((each: unknown, position) => {
    const item = rule.readItem(each);
    if (item === undefined)
      addFault(reading, `${name}[${position}]`, rule.wrongOf?.(each) ?? rule.wrong, rule.code);
    return item === undefined ? [] : [item];
  });
}

/** An address with what nobody sees would look like another one. */
function isEmail(text: string): boolean {
  return EMAIL.test(text) && !BLANK.test(text);
}

function isText(text: string, bytes: number): boolean {
  if (text.length > bytes || new TextEncoder().encode(text).length > bytes) return false;
  return VISIBLE.test(text) && !hasUnsafeCharacters(text);
}
