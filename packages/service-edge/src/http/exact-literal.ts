const LITERAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Every number of at most so many digits, and without an exponent, is what one of 64 bits is printed as. */
const SAFE_LENGTH = 15;

/** Whether a number of JSON is printed with the same value once it was read: a number of 64 bits holds it (IEEE 754). */
export function isExactLiteral(literal: string): boolean {
  if (literal.length <= SAFE_LENGTH && !/[eE]/.test(literal)) return true;
  return normalised(literal) === normalised(String(Number(literal)));
}

/** One text for each value: its digits without zeros around them, and the exponent that belongs to these. */
function normalised(literal: string): string | undefined {
  const [, sign, whole, fraction = "", exponent = "0"] = LITERAL.exec(literal) ?? [];
  if (whole === undefined) return undefined;
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = digits.slice(0, endWithoutZeros(digits));
  if (significant === "") return "0";
  // Beyond what a number holds exactly an exponent is far from those of all numbers of 64 bits, as its nearest one is. A bigint
  // of its digits would take a time that grows with the square of theirs.
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/** Where the zeros at the end of digits begin. An expression for it would try each run of zeros: quadratic time. */
function endWithoutZeros(digits: string): number {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return end;
}
