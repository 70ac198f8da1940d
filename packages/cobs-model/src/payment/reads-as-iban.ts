import { findIban } from "../iban.ts";
import { findNationalForm, hasNationalForm } from "../national-iban.ts";
import { asDigits } from "./letters-like-digits.ts";

/** No account number is longer. */
const MAX_CHARACTERS = 34;
const HEAD = 4;
const CZECH = "CZ";
const CZECH_CHARACTERS = 24;

/**
 * Whether a text contains what a person would read as an IBAN: with anything before and after it, any signs between its
 * characters, in small letters too, and with letters that look like digits. It may have the digits of a Czech IBAN and another
 * country.
 */
export function readsAsIban(text: unknown): boolean {
  if (typeof text !== "string" || text.length > MAX_CHARACTERS) return false;
  const characters = text.toUpperCase().replace(/[^A-Z0-9]/g, "");
  return [...characters].some((_, at) => isIbanAt(characters.slice(at)));
}

function isIbanAt(text: string): boolean {
  if (/^\d\d/.test(text)) return false;
  const czech = `${CZECH}${asDigits(text.slice(2, CZECH_CHARACTERS))}`;
  return [czech, ...readingsOf(text)].some((each) => hasNationalForm(each) && findIban(each) !== undefined);
}

/**
 * Returns how the IBAN at the start of a text may be read, if its country has IBANs: with digits where only digits can be, and a
 * letter that may be meant either as it is, or as the digit that it looks like.
 */
function readingsOf(text: string): readonly string[] {
  const country = text.slice(0, 2);
  const kinds = findNationalForm(country) ?? [];
  const head = `${country}${asDigits(text.slice(2, HEAD))}`;
  const national = [...text.slice(HEAD, HEAD + kinds.length)];
  return ["n", "nc"].map(
    (digits) => head + national.map((each, at) => readAs(each, digits.includes(kinds[at] ?? ""))).join(""),
  );
}

function readAs(character: string, isDigit: boolean): string {
  return isDigit ? asDigits(character) : character;
}
