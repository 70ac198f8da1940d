/**
 * Characters in which payments are sent (COBS 3.2.1, A-10): those of SWIFT and, in a domestic payment, also Czech letters.
 * Letters with other accents are replaced by their base letters, so that the PSU sees what is sent: a payer may write Slovak
 * or German to somebody in Czechia too.
 */
import { isSwiftText, SWIFT_CHARACTERS } from "../text.ts";

/** Table: letters that are not a base letter with an accent, with their usual replacements. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  ẞ: "SS",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  đ: "d",
  Đ: "D",
  ħ: "h",
  Ħ: "H",
  ŧ: "t",
  Ŧ: "T",
  ŋ: "n",
  Ŋ: "N",
  ð: "d",
  Ð: "D",
  ł: "l",
  Ł: "L",
  þ: "th",
  Þ: "TH",
  ı: "i",
};

const CZECH = new RegExp(`^[${SWIFT_CHARACTERS}áčďéěíňóřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ]*$`);

/** Whether a text can be sent within Czechia. */
export function isCzechText(text: string): boolean {
  return CZECH.test(text);
}

/** Returns the text without accents; a letter without a base letter stays, and is refused later. */
export function withoutAccents(text: string): string {
  if (isSwiftText(text)) return text;
  // Accents first: a letter of the table may have one, too.
  const letters = text.normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC");
  return letters.replace(/[^ -~]/g, (letter) => LETTERS[letter] ?? letter);
}

/** Returns the text in one Unicode form (NFC), without the accents that Czech does not have; other signs stay as above. */
export function withCzechAccents(text: string): string {
  const letters = text.normalize("NFC");
  if (isCzechText(letters)) return letters;
  return [...letters].map((letter) => (isCzechText(letter) ? letter : withoutAccents(letter))).join("");
}
