import { withoutAccents } from "./payment/payment-text.ts";
import { hasPermittedCharacters, SWIFT_CHARACTERS } from "./text.ts";

const FORBIDDEN = new RegExp(`[^${SWIFT_CHARACTERS}]`, "g");
/** Fewest digits of a card number (ISO/IEC 7812). */
const CARD_NUMBER_DIGITS = 13;
const FORBIDDEN_IN_MASKED = new RegExp(`[^*${SWIFT_CHARACTERS}]`, "g");

/**
 * Converts a reference from elsewhere to the permitted characters (COBS 3.1.1, A-10). Letters lose their accents, and every
 * other sign becomes a full stop, as banks replace what they cannot carry (EPC217-08), including a slash at an end or after
 * another. One sign never becomes two, so that the text still fits its element.
 */
export function inPermittedCharacters(text: string): string {
  return hasPermittedCharacters(text) ? text : replaced(text, FORBIDDEN);
}

/**
 * Converts a cheque number in the same way, or a card number whose digits may be masked by asterisks. If as many digits are
 * visible as a whole card number has, all but the last four are masked.
 */
export function maskedInPermittedCharacters(text: string): string {
  const permitted = replaced(text, FORBIDDEN_IN_MASKED);
  const digits = permitted.match(/\d/g) ?? [];
  return digits.length < CARD_NUMBER_DIGITS ? permitted : permitted.replace(/\d(?=(?:\D*\d){4})/g, "x");
}

function replaced(text: string, forbidden: RegExp): string {
  const letters = [...text.normalize("NFC")].map((sign) => withoutAccents(sign).charAt(0));
  return letters
    .join("")
    .replace(forbidden, ".")
    .replace(/^\/|\/$/g, ".")
    .replaceAll("//", "/.");
}
