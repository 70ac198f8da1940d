import { findIban } from "../iban.ts";
import { asDigits } from "./letters-like-digits.ts";

/** No account number is longer. */
const MAX_CHARACTERS = 34;

/**
 * Whether a value is a text that a person would read as an IBAN: with any words around it, any signs between its characters,
 * in small letters too, and with letters that look like digits.
 */
export function readsAsIban(text: unknown): boolean {
  if (typeof text !== "string" || text.length > MAX_CHARACTERS) return false;
  const words = text.toUpperCase().split(/[^A-Z0-9]+/);
  const numbered = words.slice(words.findIndex(hasDigit), words.findLastIndex(hasDigit) + 1);
  const whole = words.join("").replace(/^IBAN/, "");
  return [whole, numbered.join("")].flatMap(readingsOf).some((each) => findIban(each) !== undefined);
}

function hasDigit(word: string): boolean {
  return /\d/.test(word);
}

/**
 * Returns the text as written, and with digits for letters: after the country, all digits, or all except the four of a bank.
 */
function readingsOf(text: string): readonly string[] {
  const [country, check, bank, account] = [
    text.slice(0, 2),
    text.slice(2, 4),
    text.slice(4, 8),
    text.slice(8),
  ];
  const ofBank = `${country}${asDigits(check)}${bank}${asDigits(account)}`;
  return [text, ofBank, `${country}${asDigits(text.slice(2))}`];
}
