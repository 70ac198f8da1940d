// Controls, halves of surrogate pairs, line separators, and marks that reorder text on a page (UAX #9).
const UNSAFE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/**
 * Letters, marks and signs that are drawn as nothing although Unicode does not say so (`Default_Ignorable_Code_Point`), for a
 * character class: the Braille pattern without a dot, blanks of hieroglyphs, the filler of Khitan, the null notehead, and the
 * object replacement character.
 */
export const BLANK_SIGNS = "\\u2800\\u{13441}\\u{13442}\\u{16FE4}\\u{1D159}\\uFFFC";

/** The characters of SWIFT (COBS 3.1.1, 3.2.1), for a character class. */
export const SWIFT_CHARACTERS = "A-Za-z0-9/\\-?:().,'+ ";
const SWIFT = new RegExp(`^[${SWIFT_CHARACTERS}]*$`);

/** Whether display text has invisible characters, or some that change how others are displayed. */
export function hasUnsafeCharacters(text: string): boolean {
  return UNSAFE.test(text);
}

/** Whether a text has at most this many characters, however many code units each takes. */
export function isWithin(text: string, characters: number): boolean {
  return text.length <= characters || (text.length <= 2 * characters && [...text].length <= characters);
}

/** Whether a text can be sent abroad: in the characters of SWIFT (COBS 3.2.1). Slashes may stand anywhere. */
export function isSwiftText(text: string): boolean {
  return SWIFT.test(text);
}

/**
 * Whether an identification or a reference has only the permitted characters, and no slash at an end or beside another (COBS
 * 3.1.1, A-10).
 */
export function hasPermittedCharacters(text: string): boolean {
  return isSwiftText(text) && !text.startsWith("/") && !text.endsWith("/") && !text.includes("//");
}
