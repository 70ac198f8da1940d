// Controls, halves of surrogate pairs, line separators, and the marks that reorder text on a page (UAX #9).
const UNSAFE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/**
 * Letters, marks and signs that are drawn as nothing though Unicode does not say so of them (`Default_Ignorable_Code_Point`), as
 * a class of an expression lists them: the Braille pattern without a dot, blanks of hieroglyphs, the filler of Khitan, the
 * notehead that is none, and the place of an object.
 */
export const BLANK_SIGNS = "\\u2800\\u{13441}\\u{13442}\\u{16FE4}\\u{1D159}\\uFFFC";

/** The characters of SWIFT (COBS 3.1.1, 3.2.1), as a class of an expression lists them. */
export const SWIFT_CHARACTERS = "A-Za-z0-9/\\-?:().,'+ ";
const SWIFT = new RegExp(`^[${SWIFT_CHARACTERS}]*$`);

/** Whether text for people has characters that are not seen, or that change how the others are seen. */
export function hasUnsafeCharacters(text: string): boolean {
  return UNSAFE.test(text);
}

/** Whether a text has at most so many characters, however many units each is written in. */
export function isWithin(text: string, characters: number): boolean {
  return text.length <= characters || (text.length <= 2 * characters && [...text].length <= characters);
}

/** Whether a text can be sent abroad: in the characters of SWIFT (COBS 3.2.1). Slashes may stand anywhere. */
export function isSwiftText(text: string): boolean {
  return SWIFT.test(text);
}

/**
 * Whether an identification or a reference has the permitted characters alone, and no slash at an end or beside another
 * (COBS 3.1.1, A-10).
 */
export function hasPermittedCharacters(text: string): boolean {
  return isSwiftText(text) && !text.startsWith("/") && !text.endsWith("/") && !text.includes("//");
}
