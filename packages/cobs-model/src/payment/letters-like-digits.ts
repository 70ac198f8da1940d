/** Letters that look like a digit, or nearly so. */
const DIGITS_OF_LETTERS: ReadonlyMap<string, string> = new Map([
  ["O", "0"],
  ["Q", "0"],
  ["I", "1"],
  ["L", "1"],
  ["Z", "2"],
  ["S", "5"],
  ["G", "6"],
  ["B", "8"],
]);

/** Digits and such letters, for a character class. */
export const LIKE_DIGITS = `0-9${[...DIGITS_OF_LETTERS.keys()].join("")}`;

/** Returns a text in capital letters, with the digits that a person may read in place of some letters. */
export function asDigits(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => DIGITS_OF_LETTERS.get(letter) ?? letter);
}
