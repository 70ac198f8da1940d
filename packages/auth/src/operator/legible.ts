import { BLANK_SIGNS } from "@cobs/cobs-model";

// Controls and formats (escape sequences, direction marks), what is private or unassigned, what ends a line, and the letters,
// marks and signs that are drawn as nothing, as if there were a gap or an end.
const ILLEGIBLE = new RegExp(
  String.raw`[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}${BLANK_SIGNS}]`,
  "gu",
);

/** A character as its number, as programs write it. */
export function byNumber(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/**
 * A text on its way to a terminal, in one line. Parts of it may come from strangers: what could move the cursor, change
 * colours, or hide and reorder letters is shown by its number.
 */
export function legibleLine(text: string): string {
  return text.replace(ILLEGIBLE, byNumber);
}

/** The same of a text of several lines. */
export function legibleText(text: string): string {
  return text.split("\n").map(legibleLine).join("\n");
}

/** The same of JSON, which stays what it was for programs. */
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
