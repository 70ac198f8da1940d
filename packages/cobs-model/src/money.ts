import { type CurrencyCode, parseCurrencyCode } from "./currency-code.ts";
import { ContentRefusal } from "./refusal.ts";

/** An amount in the minor units of its currency, exact at any size; its owner says what the sign means. */
export type Money = { readonly minor: bigint; readonly currency: CurrencyCode };

/**
 * A number on the wire: a plain one if that loses nothing, otherwise its digits, which the rim also writes as a number
 * (`{"exactNumber":"…"}` outside a string becomes the number itself).
 */
export type DecimalNumber = number | ExactNumber;

/** The digits of a number that a 64-bit binary number cannot hold. */
export type ExactNumber = { readonly exactNumber: string };

const READ = Symbol("read");

/** The text of a number that was read; no JSON object from outside can be one, whatever its members are called. */
export type ReadNumber = ExactNumber & { readonly [READ]: true };

/** An amount on the wire (COBS AMT). */
export type AmountDocument = { readonly value: DecimalNumber; readonly currency: string };

/** Table: currencies whose minor unit is not a hundredth (ISO 4217). */
const DECIMALS: Readonly<Record<string, number>> = {
  BHD: 3,
  BIF: 0,
  CLF: 4,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  IQD: 3,
  ISK: 0,
  JOD: 3,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  PYG: 0,
  RWF: 0,
  TND: 3,
  UGX: 0,
  UYI: 0,
  UYW: 4,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
};

/** Number of digits up to which a 64-bit binary number keeps every decimal. */
const SAFE_DIGITS = 15;
const SAFE_MINOR = 10n ** BigInt(SAFE_DIGITS);

/** A decimal; 29 digits before its decimals are more than any bank's in any currency. */
const DECIMAL = /^(\d{1,29})(?:\.(\d{1,9}))?$/;

/** Returns how many decimals the currency has (ISO 4217). */
export function decimalsOf(currency: CurrencyCode): number {
  return DECIMALS[currency] ?? 2;
}

/** Writes an amount in whole units with all decimals of its currency, e.g. `-1250.00`. */
export function presentDecimal({ minor, currency }: Money): string {
  const decimals = decimalsOf(currency);
  const sign = minor < 0n ? "-" : "";
  const digits = String(minor < 0n ? -minor : minor).padStart(decimals + 1, "0");
  if (decimals === 0) return `${sign}${digits}`;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/**
 * Reads an unsigned amount in whole units, with at most 29 digits and no more decimals than the currency has (ISO 4217), into
 * minor units; undefined for anything else.
 */
export function parseDecimal(text: string, currency: CurrencyCode): bigint | undefined {
  const decimals = decimalsOf(currency);
  const [, whole, fraction = ""] = DECIMAL.exec(text) ?? [];
  if (whole === undefined || fraction.length > decimals) return undefined;
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

/** Keeps the text of a JSON number that a binary number cannot hold; for the parser of the JSON. */
export function keepNumber(literal: string): ReadNumber {
  return { exactNumber: literal, [READ]: true };
}

/** Returns the text of a number in parsed JSON, e.g. `999999999999999.99` or `1e+21`; undefined for anything else. */
export function findNumberText(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return isReadNumber(value) ? value.exactNumber : undefined;
}

/** Whether a value is the text of a number that was read. */
export function isReadNumber(value: unknown): value is ReadNumber {
  return typeof value === "object" && value !== null && READ in value;
}

/** Reads an unsigned amount in decimal text, or refuses with FIELD_INVALID at the wrong part of `path`. */
export function parseAmount(
  { value, currency }: { readonly value: string; readonly currency: string },
  path = "amount",
): Money {
  const code = parseCurrencyCode(currency, `${path}.currency`);
  const minor = parseDecimal(value, code);
  if (minor !== undefined) return { minor, currency: code };
  const message = `${path}.value is not an amount in its currency`;
  throw new ContentRefusal([{ code: "FIELD_INVALID", path: `${path}.value`, message }]);
}

/** Returns the amount without its sign. */
export function unsigned(money: Money): Money {
  return money.minor < 0n ? { minor: -money.minor, currency: money.currency } : money;
}

/** Writes decimal digits as a number without loss. */
export function presentNumber(decimal: string): DecimalNumber {
  return decimal.length <= SAFE_DIGITS ? Number(decimal) : presentLongNumber(decimal);
}

function presentLongNumber(decimal: string): DecimalNumber {
  const significant = decimal.replace(/^-?0*|\./g, "");
  // A JSON number has no leading zeros (RFC 8259 section 6).
  return significant.length <= SAFE_DIGITS
    ? Number(decimal)
    : { exactNumber: decimal.replace(/^(-?)0+(?=\d)/, "$1") };
}

/**
 * Writes an amount (COBS AMT). Up to 15 digits one division is exact: the quotient of two exact numbers is the one nearest to
 * the decimal (IEEE 754), as which its digits are read.
 */
export function presentAmount({ minor, currency }: Money): AmountDocument {
  if (minor < SAFE_MINOR && minor > -SAFE_MINOR)
    return { value: Number(minor) / 10 ** decimalsOf(currency), currency };
  return { value: presentNumber(presentDecimal({ minor, currency })), currency };
}
