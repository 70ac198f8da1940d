import { findCzechAccountNumber } from "../czech-account-number.ts";
import { asDigits, LIKE_DIGITS } from "./letters-like-digits.ts";

/** No account number is longer. */
const MAX_CHARACTERS = 34;
/** A bank code, with any signs in it. */
const BANK = new RegExp(`^(?:[^A-Z0-9]*[${LIKE_DIGITS}]){4}(?![0-9])`);
/** What ends a text and can be digits with any signs between them. */
const NUMBER = new RegExp(`(?:[${LIKE_DIGITS}]|[^A-Z0-9])*$`);
const [PREFIX_DIGITS, BASE_DIGITS] = [6, 10];

/**
 * Whether a text contains what a person in Czechia would read as an account number there, as our pages also write it
 * (`19-2000000034/9900`): with anything before and after it except more digits, any signs between its digits, and letters that
 * look like digits.
 */
export function readsAsCzechAccount(text: unknown): boolean {
  if (typeof text !== "string" || text.length > MAX_CHARACTERS) return false;
  const parts = text.toUpperCase().split("/");
  return parts.some((_, at) => at > 0 && isAccount(parts.slice(0, at).join("/"), parts.slice(at).join("/")));
}

function isAccount(before: string, after: string): boolean {
  return BANK.test(after) && endsWithNumber(before);
}

/** Whether an account number ends the text. It may begin at any character that does not continue a row of digits. */
function endsWithNumber(text: string): boolean {
  const [signs = ""] = NUMBER.exec(text) ?? [];
  return [...signs].some((_, at) => !/[0-9]/.test(signs.charAt(at - 1)) && isNumber(signs.slice(at)));
}

/** The length separates base and prefix: a hyphen may as well group digits. */
function isNumber(signs: string): boolean {
  const digits = asDigits(signs).replace(/[^0-9]/g, "");
  if (!/[0-9]/.test(signs) || digits.length > PREFIX_DIGITS + BASE_DIGITS) return false;
  const parts = { prefix: digits.slice(0, -BASE_DIGITS), base: digits.slice(-BASE_DIGITS) };
  return findCzechAccountNumber(parts) !== undefined;
}
