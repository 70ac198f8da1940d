const [LETTER_A, DIGITS_OF_A] = [65, 10];

/**
 * Makes the identifier of a SEPA creditor (EPC262-08) with the default business code; the check digits are those of ISO 7064
 * over everything but that code.
 */
export function makeCreditorIdentifier(country: string, national: string): string {
  const digits = `${national}${country}00`.replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - LETTER_A + DIGITS_OF_A),
  );
  const check = String(98n - (BigInt(digits) % 97n)).padStart(2, "0");
  return `${country}${check}ZZZ${national}`;
}
