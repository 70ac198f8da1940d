/**
 * Formats of the elements of transactions and payments (COBS 3.1.5.1, 4.9.1.1, 4.10.1.1, 4.27). They own the form of one
 * value; which elements exist is in `transaction-elements.ts` and in the tables of `payment`. Names and messages may have
 * letters of any language, identifications and references only those of COBS 3.1.1.
 *
 * In a transaction an optional text and an array may be empty, which says that there is nothing (PDF 1.2.3); an empty value of
 * another format counts as absent. What empty values mean in a payment is in `payment/payment-formats.ts`.
 */
import { isDateOrTime, NO_DATE_OR_TIME } from "./bank-time.ts";
import { findBic } from "./bic.ts";
import { findCountryCode } from "./country-code.ts";
import { findCurrencyCode, NO_CURRENCY_CODE } from "./currency-code.ts";
import { findIban, isIbanForPeople } from "./iban.ts";
import { isObject } from "./is-object.ts";
import { parseDecimal } from "./money.ts";
import type { CobsErrorCode } from "./refusal.ts";
import { hasPermittedCharacters, hasUnsafeCharacters, isWithin } from "./text.ts";
import { findTransactionCode } from "./transaction-code.ts";

/** A rule for the form of a value. */
export type Format = {
  readonly accepts: (value: unknown) => boolean;
  /** Fault text for a value that is not accepted. */
  readonly wrong: string;
  /** More specific fault text for some such values; undefined for the others. */
  readonly wrongOf?: (value: unknown) => string | undefined;
  /** The member at fault, if the format is one of an object. */
  readonly member?: string;
  /** Most items, if the value is an array; the format then applies to each item. */
  readonly most?: number;
  /** Converts a value, or each item, before it is checked; undefined counts as absent. */
  readonly reads?: (value: unknown) => unknown;
  /** Code for a value that is not accepted; FIELD_INVALID by default. */
  readonly codeOf?: (value: unknown) => CobsErrorCode;
  /** Code for an absent mandatory value; FIELD_MISSING by default. */
  readonly missing?: CobsErrorCode;
};

const MAX_DIGITS = 18;
const MAX_DECIMALS = 5;
const DECIMAL = /^(\d+)(?:\.(\d+))?$/;
const SYMBOLS = ["VS", "KS", "SS"] as const;
const SYMBOL = /^(VS|KS|SS):\d{1,10}$/;
const STRUCTURED = ["streetName", "buildingNumber", "postCode", "townName"];

/** MaxNText in letters of any language. */
export function text(max: number): Format {
  const accepts = (value: unknown) => isText(value, max);
  return { accepts, wrong: `must be text of at most ${max} characters, without control characters` };
}

/** MaxNText for an identification or a reference. */
export function reference(max: number): Format {
  const accepts = (value: unknown) => isText(value, max) && hasPermittedCharacters(value);
  return { accepts, wrong: `must be a reference of at most ${max} characters that COBS 3.1.1 permits` };
}

/** MaxNText for a cheque number, or for a card number, whose digits may be masked by asterisks. */
export function maskedNumber(max: number): Format {
  const { accepts, wrong } = reference(max);
  return {
    accepts: (value) => accepts(typeof value === "string" ? value.replaceAll("*", "x") : value),
    wrong,
  };
}

/** Makes the format of one of several codes. */
export function oneOf(...codes: readonly string[]): Format {
  return {
    accepts: (value) => codes.some((code) => code === value),
    wrong: codes.length === 1 ? `must be ${codes[0]}` : `must be one of ${codes.join(", ")}`,
  };
}

/** Makes the format of an array of at most `most` items. */
export function listOf(most: number, format: Format): Format {
  return { ...format, most };
}

/** The parent of other elements. */
export const OBJECT: Format = { accepts: isObject, wrong: "is not an object" };

/** A postal address, either structured or in lines (COBS 4.10.1.4); empty members belong to neither form (PDF 1.2.3). */
export const ADDRESS: Format = {
  accepts: (value) =>
    isObject(value) && !(has(value, "addressLine") && STRUCTURED.some((name) => has(value, name))),
  wrong: "must not be combined with an address in parts, such as streetName",
  wrongOf: (value) => (isObject(value) ? undefined : OBJECT.wrong),
  member: "addressLine",
};

/** An amount with no more decimals than its currency has (COBS AMT, ISO 4217). */
export const AMOUNT: Format = {
  accepts: (value) => isObject(value) && hasDecimalsOfCurrency(value),
  wrong: "has more decimals than its currency",
  wrongOf: (value) => (isObject(value) ? undefined : OBJECT.wrong),
  member: "value",
};

/** An unsigned decimal (Max18.5Amount); `AMOUNT` checks how many decimals its currency can have. */
export const DECIMAL_TEXT: Format = {
  accepts: isDecimal,
  wrong: `must be text of at most ${MAX_DIGITS} decimal digits, without a sign, with no more decimals than its currency has`,
};

/** A rate above zero (BaseOneRate). */
export const RATE: Format = {
  accepts: isRate,
  wrong: `is not a decimal rate above zero of at most ${MAX_DIGITS} digits`,
};

/** `CurrencyCode` in the form of ISO 4217. */
export const CURRENCY: Format = {
  accepts: (value) => findCurrencyCode(value) !== undefined,
  wrong: NO_CURRENCY_CODE,
};

/** A country of ISO 3166, or Kosovo. */
export const COUNTRY: Format = {
  accepts: (value) => findCountryCode(value) !== undefined,
  wrong: "is not a country code",
};

/** `IBAN2007Identifier`. */
export const IBAN: Format = {
  accepts: (value) => findIban(value) !== undefined,
  wrong: "is not an IBAN",
  wrongOf: (value) =>
    isIbanForPeople(value) ? "must be an IBAN in capital letters, without spaces" : undefined,
};

/** `BICIdentifier`. */
export const BIC: Format = { accepts: (value) => findBic(value) !== undefined, wrong: "is not a BIC" };

/** ISODate or ISODateTime. */
export const DATE: Format = {
  accepts: (value) => typeof value === "string" && isDateOrTime(value),
  wrong: NO_DATE_OR_TIME,
};

/** `TrueFalseIndicator`. */
export const BOOLEAN: Format = { accepts: (value) => typeof value === "boolean", wrong: "is not a boolean" };

/** Eleven digits of a transaction code (COBS 4.3). */
export const CODE: Format = {
  accepts: (value) => findTransactionCode(value) !== undefined,
  wrong: "is not a transaction code",
};

/** Payment symbols, each at most once (COBS 4.27). */
export const SYMBOL_LIST: Format = {
  accepts: isSymbolList,
  wrong: `must be an array of ${SYMBOLS.join(", ")}, each at most once and with 1 to 10 digits, e.g. VS:2024005`,
};

/** MaxNText, in one language or in all of the API's; an empty text in one language is replaced by the other. */
export function localizedText(max: number): Format {
  const { accepts, wrong } = text(max);
  const isLocalized = (value: unknown) =>
    isObject(value) && Object.keys(value).length === 2 && accepts(value.cs) && accepts(value.en);
  return {
    accepts: (value) => accepts(value) || isLocalized(value),
    wrong,
    wrongOf: (value) =>
      isObject(value) ? `must have cs and en, each with text of at most ${max} characters` : undefined,
    reads: inEveryLanguage,
  };
}

function inEveryLanguage(value: unknown): unknown {
  if (!isObject(value) || typeof value.cs !== "string" || typeof value.en !== "string") return value;
  const { cs, en } = value;
  return { ...value, cs: saysSomething(cs) ? cs : en, en: saysSomething(en) ? en : cs };
}

function isText(value: unknown, max: number): value is string {
  return typeof value === "string" && isWithin(value, max) && !hasUnsafeCharacters(value);
}

function isDecimal(value: unknown): boolean {
  const [, whole, fraction = ""] = (typeof value === "string" && DECIMAL.exec(value)) || [];
  return (
    whole !== undefined && whole.length + fraction.length <= MAX_DIGITS && fraction.length <= MAX_DECIMALS
  );
}

function isRate(value: unknown): boolean {
  if (typeof value !== "string" || !DECIMAL.test(value)) return false;
  return value.replace(".", "").length <= MAX_DIGITS && /[1-9]/.test(value);
}

function isSymbolList(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const names = value.map((each: unknown) => (typeof each === "string" ? SYMBOL.exec(each)?.[1] : undefined));
  return names.every((name) => name !== undefined) && new Set(names).size === names.length;
}

/** Whether the decimals fit the currency; true if one of the members is itself wrong. */
function hasDecimalsOfCurrency({ value, currency }: Readonly<Record<string, unknown>>): boolean {
  const code = findCurrencyCode(currency);
  if (code === undefined || typeof value !== "string" || !isDecimal(value)) return true;
  return parseDecimal(value, code) !== undefined;
}

function has(value: Readonly<Record<string, unknown>>, name: string): boolean {
  const member = value[name];
  return Array.isArray(member) ? member.some(saysSomething) : saysSomething(member);
}

function saysSomething(value: unknown): boolean {
  return value !== undefined && value !== null && (typeof value !== "string" || value.trim() !== "");
}
