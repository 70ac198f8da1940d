/**
 * Formats of a payment's elements (COBS 3.2.1, 3.2.4.1, A-10) where they differ from those of a transaction: some have their
 * own codes in a request (COBS 3.2.4), and a text without legible content counts as absent.
 */
import { isCalendarDay } from "../bank-day.ts";
import { findBic } from "../bic.ts";
import { findCountryCode } from "../country-code.ts";
import { BIC, type Format, IBAN, OBJECT, oneOf, SYMBOL_LIST } from "../element-formats.ts";
import { findIban } from "../iban.ts";
import { isObject } from "../is-object.ts";
import { findNationalForm, hasNationalForm } from "../national-iban.ts";
import type { CobsErrorCode } from "../refusal.ts";
import { hasPermittedCharacters, hasUnsafeCharacters, isSwiftText, isWithin } from "../text.ts";
import { isClearingMember } from "./clearing-systems.ts";
import { isNumber } from "./decimal-number.ts";
import { describeForbidden } from "./forbidden-character.ts";
import { isCzechText, withCzechAccents, withoutAccents } from "./payment-text.ts";
import { readsAsCzechAccount } from "./reads-as-czech-account.ts";
import { readsAsIban } from "./reads-as-iban.ts";

/** Room for a letter with three accents; the time to order accents grows with the square of their number (UAX #15). */
const MAX_UNITS_PER_CHARACTER = 4;

/** MaxNText in the characters of SWIFT; accents are removed. RR10 for other characters. */
export function swiftText(max: number): Format {
  return permittedText(max, isSwiftText, withoutAccents);
}

/** MaxNText that may also have Czech letters; other accents are removed. RR10 for other characters. */
export function czechText(max: number): Format {
  return permittedText(max, isCzechText, withCzechAccents);
}

/** MaxNText in letters of any language, for the data of shops and cards. RR10 for invisible characters. */
export function peopleText(max: number): Format {
  return permittedText(
    max,
    (text) => !hasUnsafeCharacters(text),
    (text) => text.normalize("NFC"),
  );
}

/** MaxNText for an identification or a reference, which is never changed (COBS 3.2.1). RR10 for other characters. */
export function identification(max: number): Format {
  return permittedText(max, hasPermittedCharacters, (text) => text);
}

const NUMBER_TEXT: Format = permittedText(
  34,
  (text) => hasPermittedCharacters(text) && text.trim() === text,
  (text) => text,
);

/**
 * An account number that is not an IBAN (COBS 4.12.1.2); with spaces around it, some bank would see another number. A number
 * that a person would read as somebody's account is refused: the PSU would approve a payment to that account, but it would go
 * to another bank.
 */
export const ACCOUNT_NUMBER: Format = {
  ...NUMBER_TEXT,
  accepts: (value) => NUMBER_TEXT.accepts(value) && describeMistakable(value) === undefined,
  codeOf: (value) =>
    (describeMistakable(value) === undefined ? NUMBER_TEXT.codeOf?.(value) : undefined) ?? "FIELD_INVALID",
  wrongOf: (value) => describeMistakable(value) ?? NUMBER_TEXT.wrongOf?.(value),
};

function describeMistakable(value: unknown): string | undefined {
  if (readsAsIban(value)) return "looks like an IBAN: send it in iban";
  return readsAsCzechAccount(value) ? "looks like a Czech account number: send its IBAN in iban" : undefined;
}

/**
 * An IBAN in the form of its country (ISO 13616). A country without IBANs could make the number of somebody else's account pass
 * for one that a bank there keeps.
 */
export const CREDITOR_IBAN: Format = {
  ...IBAN,
  accepts: (value) => IBAN.accepts(value) && hasNationalForm(String(value)),
  wrongOf: (value) => describeForeignForm(value) ?? IBAN.wrongOf?.(value),
};

function describeForeignForm(value: unknown): string | undefined {
  const iban = typeof value === "string" ? findIban(value.replaceAll(" ", "").toUpperCase()) : undefined;
  if (iban === undefined || hasNationalForm(iban)) return undefined;
  const country = iban.slice(0, 2);
  return findNationalForm(country) === undefined
    ? `begins with ${country}, which has no IBANs: send the account number in other.identification`
    : `does not have the form of IBANs that begin with ${country}`;
}

/** What identifies the payee's account: beside an IBAN, another number is not used, so nothing in it can be wrong. */
export const CREDITOR_IDENTIFICATION: Format = { ...OBJECT, reads: withoutUnusedNumber };

/** A JSON number whose limits depend on other elements. */
export const NUMBER: Format = { accepts: isNumber, wrong: "must be a JSON number" };

/** A day of the calendar (ISODate); DT01 for anything else (COBS 3.2.4). */
export const DAY: Format = coded("DT01", {
  accepts: (value) => typeof value === "string" && isCalendarDay(value),
  wrong: "must be a calendar day (YYYY-MM-DD)",
});

/** A BIC of an existing country; RC07 for anything else (COBS 3.2.4). */
export const CREDITOR_BIC: Format = coded("RC07", {
  ...BIC,
  accepts: (value) => findCountryCode(findBic(value)?.slice(4, 6)) !== undefined,
});

/** A clearing code in the form of its system; RC10 for any other (COBS 3.2.4). */
export const CLEARING_MEMBER: Format = coded("RC10", {
  accepts: (value) => isObject(value) && isClearingMember(value),
  wrong: "is not a code of its clearing system",
});

/** `other` of IDENT: an object, or the first of an array, with the issuer beside the scheme or in it. */
export const OTHER: Format = { ...OBJECT, reads: readOther };

/** At most three symbols (COBS 4.27), in an array or in one text. */
export const SYMBOLS: Format = { ...SYMBOL_LIST, reads: readSymbols };

/** Code of who bears the charges; BE19 for any other (COBS 3.2.4). */
export function bearer(...codes: readonly string[]): Format {
  if (codes.length === 0) return coded("BE19", { accepts: () => false, wrong: "must not be sent" });
  return coded("BE19", oneOf(...codes));
}

/** Returns the format with another code for a wrong value. */
export function coded(code: CobsErrorCode, format: Format): Format {
  return { ...format, codeOf: () => code };
}

/** Returns the format with another code for an absent value. */
export function missedAs(code: CobsErrorCode, format: Format): Format {
  return { ...format, missing: code };
}

function permittedText(
  max: number,
  isPermitted: (text: string) => boolean,
  write: (text: string) => string,
): Format {
  const isText = (value: unknown): value is string => typeof value === "string" && isWithin(value, max);
  const asSent = (text: string) => (text.length > max * MAX_UNITS_PER_CHARACTER ? text : write(text));
  return {
    reads: (value) => (typeof value === "string" ? readable(asSent(value)) : value),
    accepts: (value) => isText(value) && isPermitted(value),
    codeOf: (value) => (isText(value) ? "RR10" : "FIELD_INVALID"),
    wrong: `must be text of at most ${max} characters`,
    wrongOf: (value) => (isText(value) ? describeForbidden(value, isPermitted) : undefined),
  };
}

/** Spaces alone are nothing that a person could approve. */
function readable(text: string): string | undefined {
  return text.trim() === "" ? undefined : text;
}

function readOther(value: unknown): unknown {
  const other: unknown = Array.isArray(value) ? value[0] : value;
  if (!isObject(other) || !isObject(other.schemeName)) return other;
  return { ...other, issuer: other.issuer ?? other.schemeName.issuer };
}

function withoutUnusedNumber(value: unknown): unknown {
  if (!isObject(value) || value.iban === undefined || value.iban === null) return value;
  const { other: _, ...used } = value;
  return used;
}

function readSymbols(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value;
  if (typeof value !== "string") return value;
  const symbols = value.split(",").map((each) => each.trim().replace(/^"(.*)"$/, "$1"));
  return value.trim() === "" ? undefined : symbols;
}
