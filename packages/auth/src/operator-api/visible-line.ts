import { BLANK_SIGNS } from "@cobs/cobs-model";

const MAX_CHARACTERS = 500;
/** A line with something visible; fillers and blank signs count as letters and signs, but are drawn as nothing. */
const VISIBLE_LINE = new RegExp(
  String.raw`^(?=.*(?![\p{Default_Ignorable_Code_Point}${BLANK_SIGNS}])[\p{L}\p{N}\p{P}\p{S}])[^\p{C}\p{Zl}\p{Zp}]{1,${MAX_CHARACTERS}}$`,
  "u",
);

/** What an operator's text, which the audit log keeps, must be. */
export const VISIBLE_LINE_FORM = `1 to ${MAX_CHARACTERS} printable characters`;

/** Tells whether a text is one line with something visible in it. */
export function isVisibleLine(text: string): boolean {
  return VISIBLE_LINE.test(text);
}
