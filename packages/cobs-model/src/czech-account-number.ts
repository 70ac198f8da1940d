import type { Brand } from "./brand.ts";
import { ContentRefusal } from "./refusal.ts";

/** A Czech account number without the bank code, `[prefix-]base`, without leading zeros, e.g. `19-2000000034`. */
export type CzechAccountNumber = Brand<"CzechAccountNumber">;

/** Prefix and base padded to six and ten digits, as an IBAN carries them. */
export type CzechAccountDigits = { readonly prefix: string; readonly base: string };

const PREFIX_WEIGHTS = [10, 5, 8, 4, 2, 1];
const BASE_WEIGHTS = [6, 3, 7, 9, 10, 5, 8, 4, 2, 1];
const TWO_DIGITS = /[1-9]\d*[1-9]/;
const ZERO = 48;
const NUMBER = /^(?:(\d{2,6})-)?(\d{2,10})$/;

/** Reads `[prefix-]base` (Decree 169/2011 Coll., both parts modulo 11) or refuses with FIELD_INVALID at `path`. */
export function parseCzechAccountNumber(value: unknown, path = "accountNumber"): CzechAccountNumber {
  const [, prefix = "", base] = (typeof value === "string" && NUMBER.exec(value)) || [];
  const number = base === undefined ? undefined : findCzechAccountNumber({ prefix, base });
  if (number !== undefined) return number;
  throw new ContentRefusal([{ code: "FIELD_INVALID", path, message: `${path} is not an account number` }]);
}

/** Returns the account number of a prefix (may be empty) and a base, both digits; undefined if a checksum fails. */
export function findCzechAccountNumber(digits: CzechAccountDigits): CzechAccountNumber | undefined {
  const prefix = digits.prefix.padStart(PREFIX_WEIGHTS.length, "0");
  const base = digits.base.padStart(BASE_WEIGHTS.length, "0");
  if (!areCzechAccountDigits({ prefix, base })) return undefined;
  const lead = prefix.replace(/^0+/, "");
  return `${lead === "" ? "" : `${lead}-`}${base.replace(/^0+/, "")}` as CzechAccountNumber;
}

/** Whether padded digits are an account number (Decree 169/2011 Coll.): the base has at least two digits that are not zero. */
export function areCzechAccountDigits({ prefix, base }: CzechAccountDigits): boolean {
  const valid = weightedSum(prefix, PREFIX_WEIGHTS) % 11 === 0 && weightedSum(base, BASE_WEIGHTS) % 11 === 0;
  return valid && TWO_DIGITS.test(base);
}

/** Splits an account number into its padded parts. */
export function digitsOfCzechAccountNumber(number: CzechAccountNumber): CzechAccountDigits {
  const [base = "", prefix = ""] = number.split("-").reverse();
  return {
    prefix: prefix.padStart(PREFIX_WEIGHTS.length, "0"),
    base: base.padStart(BASE_WEIGHTS.length, "0"),
  };
}

/** Writes an account number as is usual in Czechia, e.g. `19-2000000034/9900`. */
export function presentCzechAccountNumber(number: CzechAccountNumber, bankCode: string): string {
  return `${number}/${bankCode}`;
}

// Expects as many digits as weights; NaN if one is not a digit.
function weightedSum(digits: string, weights: readonly number[]): number {
  let sum = 0;
  for (let position = 0; position < weights.length; position += 1) {
    const digit = digits.charCodeAt(position) - ZERO;
    sum += digit >= 0 && digit <= 9 ? digit * (weights[position] ?? 0) : Number.NaN;
  }
  return sum;
}
