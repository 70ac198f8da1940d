import { BLANK_SIGNS } from "@cobs/cobs-model";

const MAX_CHARACTERS = 120;
const MAX_HOST_CHARACTERS = 253 + 6;
/**
 * Characters that no name needs: controls, formats (including direction marks), line separators, private and unassigned ones, and
 * letters that are drawn as nothing, such as fillers and blank signs. A variation selector belongs to a letter that has variants;
 * after any other it is invisible.
 */
const UNSHOWABLE = new RegExp(
  [
    String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}${BLANK_SIGNS}]`,
    String.raw`(?<![\p{Extended_Pictographic}\p{Script=Han}\p{Script=Mongolian}])\p{Variation_Selector}`,
    String.raw`(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}`,
  ].join("|"),
  "gu",
);
/** What most names are, and what can be shown as it is: printable ASCII with single spaces between. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;
/** Characters with which a name could seem to end: quotes, and characters that look like one, also several in a row. */
const QUOTES =
  /[\p{Quotation_Mark}`\u00b4\u02b9-\u02bd\u02dd\u02ee\u02f5\u02f6\u05f3\u05f4\u1fbd\u1fbf\u1ffe\u2032-\u2037\u275b-\u2760\u3003\uff40\u{1f676}-\u{1f678}]+/gu;
const STACKED_MARKS = /(\p{M}{2})\p{M}+/gu;

/**
 * Makes a stranger's text fit to be read in one line: characters that could hide or reorder its letters become `\uFFFD`, and a
 * text that is too long is cut with an ellipsis. The text is not escaped; the templates escape every value.
 */
export function displayText(text: string): string {
  return displayUpTo(MAX_CHARACTERS, text);
}

/** Makes a host fit to be read in the same way, but whole: its end says whose it is (RFC 1035 2.3.4, and a port). */
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
  // Dropped characters may leave fewer than the maximum, even of a text that goes on.
  const isWhole = characters.length <= most && text.slice(most * 4).trim() === "";
  return isWhole ? visible : `${characters.slice(0, most).join("")}…`;
}

/** Makes a text safe between quotes: it cannot end them and go on as our own words. */
export function withoutQuotes(text: string): string {
  return text.replace(QUOTES, "'");
}
