import { findCzechAccountNumber } from "../czech-account-number.ts";
import { asDigits, LIKE_DIGITS } from "./letters-like-digits.ts";

/** The code of a bank, and whatever stands behind it. */
const BANK = new RegExp(`^ *[${LIKE_DIGITS}]{4}(?![A-Z0-9])`);
const NUMBER = new RegExp(`^(?:([${LIKE_DIGITS}]{1,6})-)?([${LIKE_DIGITS}]{2,16})$`);
const [PREFIX_DIGITS, BASE_DIGITS] = [6, 10];

/**
 * Whether a value is a text that a person in Czechia would read as the number of an account there, as our pages write it too
 * (`19-2000000034/9900`): whatever words stand around it, however its digits are grouped, and with letters in their place that
 * look like them.
 */
export function readsAsCzechAccount(text: unknown): boolean {
  if (typeof text !== "string") return false;
  const [before = "", bank = ""] = text.toUpperCase().split("/");
  const words = before.split(/[^A-Z0-9-]+/);
  const numbered = words.slice(words.findIndex((word) => /\d/.test(word))).join("");
  return BANK.test(bank) && isAccountNumber(numbered);
}

/** A prefix is told from its base by a hyphen, or by the length of both. */
function isAccountNumber(text: string): boolean {
  const [, before = "", digits = ""] = NUMBER.exec(text) ?? [];
  const base = before === "" ? digits : digits.padStart(BASE_DIGITS, "0");
  const whole = asDigits(`${before}${base}`);
  if (whole === "" || whole.length > PREFIX_DIGITS + BASE_DIGITS) return false;
  const parts = { prefix: whole.slice(0, -BASE_DIGITS), base: whole.slice(-BASE_DIGITS) };
  return findCzechAccountNumber(parts) !== undefined;
}
