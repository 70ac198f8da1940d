import { endOfBankDay, isCalendarDay, startOfBankDay } from "./bank-day.ts";

/** The instants of a day or a moment: from the first that belongs to it, to the first that does not any more. */
export type Span = { readonly from: Date; readonly before: Date };

const CLOCK = "(?:[01]\\d|2[0-3]):[0-5]\\d";
const TIME = new RegExp(`^(\\d{4}-\\d\\d-\\d\\d)T(${CLOCK}(?::[0-5]\\d(?:\\.\\d{1,9})?)?)(Z|[+-]${CLOCK})$`);
const DAY_LENGTH = "YYYY-MM-DD".length;
/** A time without a fraction, which an offset follows at once. */
const WITHOUT_FRACTION = /(T\d\d:\d\d)(:\d\d)?(?=[Z+-])/;
const MOMENT_MS = 1;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const MINUTE_LENGTH = "hh:mm".length;

/** What is told of a text that is neither, to who has only to write it otherwise, such as `+0100`. */
export const NO_DATE_OR_TIME =
  "is neither a day, written YYYY-MM-DD, nor a date and time with an offset, written Z or +hh:mm";

/** Whether a text is an ISODate or an ISODateTime with an offset (COBS 3.1.5) of the calendar. */
export function isDateOrTime(text: string): boolean {
  return text.length === DAY_LENGTH ? isCalendarDay(text) : isCalendarDay(TIME.exec(text)?.[1] ?? "");
}

/**
 * Reads `YYYY-MM-DD`, a bank-local day, or a moment with the offset `Z` or `±hh:mm`, counted in milliseconds (COBS 1.2.8.1,
 * A-09); undefined for anything else. The year is of four digits, before 1900 too.
 */
export function findSpan(text: string): Span | undefined {
  if (!isDateOrTime(text)) return undefined;
  if (text.length === DAY_LENGTH) return { from: startOfBankDay(text), before: endOfBankDay(text) };
  const from = Date.parse(withMilliseconds(text));
  return { from: new Date(from), before: new Date(from + MOMENT_MS) };
}

/**
 * The same, with a moment as long as what it names: a minute without its seconds, a second without a fraction. Whoever asks for
 * what is until a moment, inclusive, means the whole of it, as of a day (COBS 3.1.5).
 */
export function findNamedSpan(text: string): Span | undefined {
  const span = findSpan(text);
  if (span === undefined || text.length === DAY_LENGTH) return span;
  return { from: span.from, before: new Date(span.from.getTime() + lengthOf(TIME.exec(text)?.[2] ?? "")) };
}

function lengthOf(time: string): number {
  if (time.includes(".")) return MOMENT_MS;
  return time.length > MINUTE_LENGTH ? SECOND_MS : MINUTE_MS;
}

/**
 * Writes an ISODate or ISODateTime in the form of the standard, `YYYY-MM-DDThh:mm:ss.sTZD` (COBS 3.1.5): whoever handed it over
 * may have left out the seconds or their fraction, and who reads by that form needs both.
 */
export function presentDateOrTime(text: string): string {
  if (text.length === DAY_LENGTH) return text;
  return text.replace(WITHOUT_FRACTION, (_, minute, second = ":00") => `${minute}${second}.000`);
}

/** Digits past the third are not told by a `Date`, and other engines than ours need not take them. */
function withMilliseconds(text: string): string {
  return text.replace(/(\.\d{3})\d+/, "$1");
}
