const LITERAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Every number with at most this many digits and no exponent is printed by a 64-bit number as it was written. */
const SAFE_LENGTH = 15;

/** Whether a number of JSON is printed with the same value after it was read, that is, a 64-bit number holds it (IEEE 754). */
export function isExactLiteral(literal: string): boolean {
  if (literal.length <= SAFE_LENGTH && !/[eE]/.test(literal)) return true;
  return normalised(literal) === normalised(String(Number(literal)));
}

/** Returns one text for each value: its digits without leading and trailing zeros, and the matching exponent. */
function normalised(literal: string): string | undefined {
  const [, sign, whole, fraction = "", exponent = "0"] = LITERAL.exec(literal) ?? [];
  if (whole === undefined) return undefined;
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = digits.slice(0, endWithoutZeros(digits));
  if (significant === "") return "0";
  // An exponent too large to be held exactly is far from those of all 64-bit numbers, and so is its approximation. Building a
  // bigint of the digits would take time that grows with the square of their number.
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/** Finds where the trailing zeros of digits begin. A regular expression would try each run of zeros, in quadratic time. */
function endWithoutZeros(digits: string): number {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return end;
}
