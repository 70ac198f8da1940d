import { BLANK_SIGNS } from "@cobs/cobs-model";

// Control and format characters (escape sequences, direction marks), private and unassigned ones, line ends, and letters, marks
// and signs that are drawn as nothing and so look like a gap or an end.
const ILLEGIBLE = new RegExp(
  String.raw`[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}${BLANK_SIGNS}]`,
  "gu",
);

/** Writes a character as its number, in the syntax of programs. */
export function byNumber(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/**
 * Makes a text safe to print in one line of a terminal. Parts of it may come from strangers: characters that could move the
 * cursor, change colours, or hide and reorder letters are shown by their number.
 */
export function legibleLine(text: string): string {
  return text.replace(ILLEGIBLE, byNumber);
}

/** Makes a text of several lines safe to print, as `legibleLine` does. */
export function legibleText(text: string): string {
  return text.split("\n").map(legibleLine).join("\n");
}

/** Makes JSON safe to print; for programs its value does not change. */
export function legibleJson(json: string): string {
  return json.replace(ILLEGIBLE, (character) =>
    /[\n\r\t]/.test(character)
      ? character
      : character
          .split("")
          .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
          .join(""),
  );
}
