import { BLANK_SIGNS } from "@cobs/cobs-model";

const MAX_CHARACTERS = 120;
const MAX_HOST_CHARACTERS = 253 + 6;
/**
 * Controls, formats (direction marks among them), line separators, private and unassigned; and letters that are drawn as nothing,
 * such as fillers and blank signs: nothing a name needs. A selector of variants goes with a letter that has some, and after any
 * other one is nothing to see.
 */
const UNSHOWABLE = new RegExp(
  [
    String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}${BLANK_SIGNS}]`,
    String.raw`(?<![\p{Extended_Pictographic}\p{Script=Han}\p{Script=Mongolian}])\p{Variation_Selector}`,
    String.raw`(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}`,
  ].join("|"),
  "gu",
);
/** What most names are, and is fit to be shown as it is: printable ASCII with single spaces between. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;
/** With which a name could seem to end: what is a quote, and what is drawn like one, also several in a row. */
const QUOTES =
  /[\p{Quotation_Mark}`\u00b4\u02b9-\u02bd\u02dd\u02ee\u02f5\u02f6\u05f3\u05f4\u1fbd\u1fbf\u1ffe\u2032-\u2037\u275b-\u2760\u3003\uff40\u{1f676}-\u{1f678}]+/gu;
const STACKED_MARKS = /(\p{M}{2})\p{M}+/gu;

/**
 * A text from a stranger, fit to be read in one line: what could hide or reorder its letters becomes `\uFFFD`, and what is
 * too long is cut with an ellipsis. It is not escaped; the templates escape every value.
 */
export function displayText(text: string): string {
  return displayUpTo(MAX_CHARACTERS, text);
}

/** A host in the same way, and whole: its end says whose it is (RFC 1035 2.3.4, and a port). */
export function displayHost(host: string): string {
  return displayUpTo(MAX_HOST_CHARACTERS, host);
}

function displayUpTo(most: number, text: string): string {
  if (text.length <= most && PLAIN.test(text)) return text;
  const visible = text
    .slice(0, most * 4)
    .normalize("NFC")
    .replace(UNSHOWABLE, "\uFFFD")
    .replace(STACKED_MARKS, "$1")
    .replace(/\s+/gu, " ")
    .trim();
  const characters = [...visible];
  // What is dropped leaves fewer characters than are shown at most, also of a text that goes on.
  const isWhole = characters.length <= most && text.slice(most * 4).trim() === "";
  return isWhole ? visible : `${characters.slice(0, most).join("")}…`;
}

/** A text for between quotes, which it cannot leave to go on as our own words. */
export function withoutQuotes(text: string): string {
  return text.replace(QUOTES, "'");
}
