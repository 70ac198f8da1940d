import type { Brand } from "./brand.ts";
import {
  areCzechAccountDigits,
  type CzechAccountNumber,
  digitsOfCzechAccountNumber,
  findCzechAccountNumber,
} from "./czech-account-number.ts";
import { ContentRefusal } from "./refusal.ts";

/** An international account number (ISO 13616) in its electronic form, at most 34 characters, with a valid checksum. */
export type Iban = Brand<"Iban">;

/** Bank code and account number of a Czech IBAN. */
export type CzechIbanParts = { readonly bankCode: string; readonly number: CzechAccountNumber };

/** Check digits are 02 to 98: others with the same remainder belong to no account (ISO 13616-1). */
const IBAN = /^[A-Z]{2}(?:0[2-9]|[1-8]\d|9[0-8])[A-Za-z0-9]{1,30}$/;
const CZECH_IBAN = /^CZ\d{2}(\d{4})(\d{6})(\d{10})$/;

/**
 * Reads an IBAN without spaces (COBS IBAN2007Identifier; ISO 7064 modulo 97; a Czech one also modulo 11 in both of its parts)
 * or refuses with FIELD_INVALID at `path`.
 */
export function parseIban(value: unknown, path = "iban"): Iban {
  const iban = findIban(value);
  if (iban !== undefined) return iban;
  throw new ContentRefusal([{ code: "FIELD_INVALID", path, message: `${path} is not an IBAN` }]);
}

/** Reads an IBAN as `parseIban` does; undefined if that would refuse. */
export function findIban(value: unknown): Iban | undefined {
  if (typeof value !== "string" || !IBAN.test(value) || remainderOf97(value) !== 1) return undefined;
  return !value.startsWith("CZ") || isCzechIban(value) ? (value as Iban) : undefined;
}

/**
 * Whether a value is an IBAN as people write it (ISO 13616), with spaces or small letters, which `findIban` does not accept.
 */
export function isIbanForPeople(value: unknown): boolean {
  return typeof value === "string" && findIban(value.replaceAll(" ", "").toUpperCase()) !== undefined;
}

function isCzechIban(text: string): boolean {
  const [, , prefix = "", base] = CZECH_IBAN.exec(text) ?? [];
  return base !== undefined && areCzechAccountDigits({ prefix, base });
}

/** Makes the Czech IBAN of an account number at the bank with a four-digit code (COBS PDF 4.9.1.1). */
export function makeCzechIban(bankCode: string, number: CzechAccountNumber): Iban {
  const { prefix, base } = digitsOfCzechAccountNumber(number);
  return makeIban("CZ", `${bankCode}${prefix}${base}`);
}

/** Makes the IBAN of a country and a national number, with its check digits; refuses as `parseIban` does. */
export function makeIban(country: string, national: string): Iban {
  const check = 98 - remainderOf97(`${country}00${national}`);
  return parseIban(`${country}${String(check).padStart(2, "0")}${national}`);
}

/** Splits a Czech IBAN into bank code and account number; undefined for any other. */
export function findCzechIbanParts(iban: Iban): CzechIbanParts | undefined {
  const [, bankCode = "", prefix = "", base] = CZECH_IBAN.exec(iban) ?? [];
  const number = base === undefined ? undefined : findCzechAccountNumber({ prefix, base });
  return number === undefined ? undefined : { bankCode, number };
}

/** Writes an IBAN for people, in groups of four (ISO 13616). */
export function presentIban(iban: Iban): string {
  return iban.replace(/(.{4})(?=.)/g, "$1 ");
}

const [ZERO, NINE] = [48, 57];
/** With two more digits it is still a small integer. */
const MOST_KEPT = 9_999_999;

/**
 * Computes the remainder without making a text, with the first four characters moved to the end; a letter counts as two
 * digits, 10 to 35.
 */
function remainderOf97(iban: string): number {
  let remainder = 0;
  for (let at = 0; at < iban.length; at += 1) {
    const code = iban.charCodeAt((at + 4) % iban.length);
    // The lower five bits of a letter, capital or small, are its place in the alphabet.
    remainder =
      code >= ZERO && code <= NINE ? remainder * 10 + code - ZERO : remainder * 100 + (code & 31) + 9;
    if (remainder > MOST_KEPT) remainder %= 97;
  }
  return remainder % 97;
}
