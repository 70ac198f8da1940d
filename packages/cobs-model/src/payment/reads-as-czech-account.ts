import { findCzechAccountNumber } from "../czech-account-number.ts";
import { asDigits, LIKE_DIGITS } from "./letters-like-digits.ts";

/** A bank code, and whatever follows it. */
const BANK = new RegExp(`^ *[${LIKE_DIGITS}]{4}(?![A-Z0-9])`);
const NUMBER = new RegExp(`^(?:([${LIKE_DIGITS}]{1,6})-)?([${LIKE_DIGITS}]{2,16})$`);
const [PREFIX_DIGITS, BASE_DIGITS] = [6, 10];

/**
 * Whether a value is a text that a person in Czechia would read as an account number there, as our pages also write it
 * (`19-2000000034/9900`): with any words around it, any grouping of its digits, and letters that look like digits.
 */
export function readsAsCzechAccount(text: unknown): boolean {
  if (typeof text !== "string") return false;
  const [before = "", bank = ""] = text.toUpperCase().split("/");
  const words = before.split(/[^A-Z0-9-]+/);
  const numbered = words.slice(words.findIndex((word) => /\d/.test(word))).join("");
  return BANK.test(bank) && isAccountNumber(numbered);
}

/** A hyphen separates prefix and base, or the length of both does. */
function isAccountNumber(text: string): boolean {
  const [, before = "", digits = ""] = NUMBER.exec(text) ?? [];
  const base = before === "" ? digits : digits.padStart(BASE_DIGITS, "0");
  const whole = asDigits(`${before}${base}`);
  if (whole === "" || whole.length > PREFIX_DIGITS + BASE_DIGITS) return false;
  const parts = { prefix: whole.slice(0, -BASE_DIGITS), base: whole.slice(-BASE_DIGITS) };
  return findCzechAccountNumber(parts) !== undefined;
}
