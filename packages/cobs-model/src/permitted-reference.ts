import { withoutAccents } from "./payment/payment-text.ts";
import { hasPermittedCharacters, SWIFT_CHARACTERS } from "./text.ts";

const FORBIDDEN = new RegExp(`[^${SWIFT_CHARACTERS}]`, "g");
/** A card number has so many digits or more (ISO/IEC 7812). */
const CARD_NUMBER_DIGITS = 13;
const FORBIDDEN_IN_MASKED = new RegExp(`[^*${SWIFT_CHARACTERS}]`, "g");

/**
 * A reference as others wrote it, in the permitted characters (COBS 3.1.1, A-10): its letters without accents, and a full stop for
 * every other sign, as banks replace what they cannot carry (EPC217-08), also for a slash at an end or behind another. A
 * sign never becomes two, so that what fits its element still does.
 */
export function inPermittedCharacters(text: string): string {
  return hasPermittedCharacters(text) ? text : replaced(text, FORBIDDEN);
}

/**
 * The same of a cheque number, or of a card number whose digits may be hidden by asterisks. Of one that shows as many digits as
 * a whole card number, all but the last four are hidden.
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
