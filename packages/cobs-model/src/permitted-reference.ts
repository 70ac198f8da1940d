import { withoutAccents } from "./payment/payment-text.ts";
import { hasPermittedCharacters, SWIFT_CHARACTERS } from "./text.ts";

const FORBIDDEN = new RegExp(`[^${SWIFT_CHARACTERS}]`, "g");
const FORBIDDEN_IN_MASKED = new RegExp(`[^*${SWIFT_CHARACTERS}]`, "g");

/**
 * A reference as others wrote it, in the permitted characters (COBS 3.1.1, A-10): its letters without accents, and a full stop for
 * every other sign, as banks replace what they cannot carry (EPC217-08), also for a slash at an end or behind another. A
 * sign never becomes two, so that what fits its element still does.
 */
export function inPermittedCharacters(text: string): string {
  return hasPermittedCharacters(text) ? text : replaced(text, FORBIDDEN);
}

/** The same of a number some of whose digits may be hidden by asterisks. */
export function maskedInPermittedCharacters(text: string): string {
  return replaced(text, FORBIDDEN_IN_MASKED);
}

function replaced(text: string, forbidden: RegExp): string {
  const letters = [...text.normalize("NFC")].map((sign) => withoutAccents(sign).charAt(0));
  return letters
    .join("")
    .replace(forbidden, ".")
    .replace(/^\/|\/$/g, ".")
    .replaceAll("//", "/.");
}
