import { findNumberText } from "../money.ts";

/** The digits of a JSON number, without leading or trailing zeros: `0042.50` is 42 and 5. */
export type Decimal = { readonly negative: boolean; readonly whole: string; readonly fraction: string };

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/**
 * Most places by which an exponent moves the point: more than any amount or identification has, so that moving it further
 * would make no difference.
 */
const BEYOND_ALL = 40;

/** Whether a value is a number, or the digits of one that a binary number cannot hold. */
export function isNumber(value: unknown): boolean {
  return findNumberText(value) !== undefined && (typeof value !== "number" || Number.isFinite(value));
}

/**
 * Reads a number without loss; undefined for anything else. If an exponent makes it larger or finer than any number in use,
 * the result has more than forty digits before or after its point.
 */
export function findDecimal(value: unknown): Decimal | undefined {
  const [, sign = "", whole, fraction = "", exponent = "0"] = NUMBER.exec(findNumberText(value) ?? "") ?? [];
  if (whole === undefined) return undefined;
  const most = whole.length + fraction.length + BEYOND_ALL;
  const by = Math.max(-most, Math.min(most, Number(exponent)));
  return { negative: sign === "-", ...shift(whole, fraction, by) };
}

/** Writes a decimal without its sign, e.g. `42.5`. */
export function presentUnsigned({ whole, fraction }: Decimal): string {
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

function shift(whole: string, fraction: string, by: number): Omit<Decimal, "negative"> {
  const digits = `${"0".repeat(Math.max(0, -by))}${whole}${fraction}${"0".repeat(Math.max(0, by))}`;
  const point = digits.length - fraction.length - Math.max(0, by) + by;
  return {
    whole: digits.slice(0, point).replace(/^0+(?=\d)/, ""),
    fraction: withoutZerosAtEnd(digits.slice(point)),
  };
}

/** A regular expression would try each run of zeros, in quadratic time. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}

/** Tells the sender of an amount with more decimals how many it may have. */
export function describeDecimals(decimals: number): string {
  return decimals === 0 ? "must have no decimals" : `must have at most ${decimals} decimals`;
}
