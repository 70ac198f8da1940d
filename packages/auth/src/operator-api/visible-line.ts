import { BLANK_SIGNS } from "@cobs/cobs-model";

const MAX_CHARACTERS = 500;
/** Fillers and blank signs are letters and signs that are drawn as nothing. */
const VISIBLE_LINE = new RegExp(
  String.raw`^(?=.*(?![\p{Default_Ignorable_Code_Point}${BLANK_SIGNS}])[\p{L}\p{N}\p{P}\p{S}])[^\p{C}\p{Zl}\p{Zp}]{1,${MAX_CHARACTERS}}$`,
  "u",
);

/** What a text of an operator must be, which the audit keeps. */
export const VISIBLE_LINE_FORM = `1 to ${MAX_CHARACTERS} printable characters`;

/** Whether a text is one line of which something can be seen. */
export function isVisibleLine(text: string): boolean {
  return VISIBLE_LINE.test(text);
}
