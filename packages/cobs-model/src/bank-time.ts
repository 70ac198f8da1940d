import { endOfBankDay, isCalendarDay, startOfBankDay } from "./bank-day.ts";

/** Instants of a day or a moment: the first that belongs to it, and the first after it. */
export type Span = { readonly from: Date; readonly before: Date };

const CLOCK = "(?:[01]\\d|2[0-3]):[0-5]\\d";
const TIME = new RegExp(`^(\\d{4}-\\d\\d-\\d\\d)T(${CLOCK}(?::[0-5]\\d(?:\\.\\d{1,9})?)?)(Z|[+-]${CLOCK})$`);
const DAY_LENGTH = "YYYY-MM-DD".length;
/** A time without a fraction, directly followed by an offset. */
const WITHOUT_FRACTION = /(T\d\d:\d\d)(:\d\d)?(?=[Z+-])/;
const MOMENT_MS = 1;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const MINUTE_LENGTH = "hh:mm".length;

/** Fault text for any other value, also for a sender who must only write it differently, e.g. not `+0100`. */
export const NO_DATE_OR_TIME = "must be a day (YYYY-MM-DD), or a date and time with an offset (Z or +hh:mm)";

/** Whether a text is a valid ISODate, or a valid ISODateTime with an offset (COBS 3.1.5). */
export function isDateOrTime(text: string): boolean {
  return text.length === DAY_LENGTH ? isCalendarDay(text) : isCalendarDay(TIME.exec(text)?.[1] ?? "");
}

/**
 * Reads `YYYY-MM-DD`, a bank-local day, or a moment with the offset `Z` or `±hh:mm`, in whole milliseconds (COBS 1.2.8.1,
 * A-09); undefined for anything else. The year has four digits, and may be before 1900.
 */
export function findSpan(text: string): Span | undefined {
  if (!isDateOrTime(text)) return undefined;
  if (text.length === DAY_LENGTH) return { from: startOfBankDay(text), before: endOfBankDay(text) };
  const from = Date.parse(withMilliseconds(text));
  return { from: new Date(from), before: new Date(from + MOMENT_MS) };
}

/**
 * Reads the same, with a moment as long as its text is precise: a minute without seconds, a second without a fraction. A query
 * up to and including a moment means the whole of it, as with a day (COBS 3.1.5).
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
 * Writes an ISODate or ISODateTime in the form of the standard, `YYYY-MM-DDThh:mm:ss.sTZD` (COBS 3.1.5). The source may have
 * left out the seconds or their fraction, but readers of that form need both.
 */
export function presentDateOrTime(text: string): string {
  if (text.length === DAY_LENGTH) return text;
  return text.replace(WITHOUT_FRACTION, (_, minute, second = ":00") => `${minute}${second}.000`);
}

/** Cuts digits past the third, which a `Date` does not keep and other engines than ours need not accept. */
function withMilliseconds(text: string): string {
  return text.replace(/(\.\d{3})\d+/, "$1");
}
