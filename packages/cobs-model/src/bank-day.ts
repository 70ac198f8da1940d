/**
 * Days and times of the bank, which keeps the time of Prague. It owns where a bank-local day begins and how a
 * moment is written; the caller provides the current time. Days are `YYYY-MM-DD`, years 1900 to 9999.
 */
const CLOCK = new Intl.DateTimeFormat("en", { timeZone: "Europe/Prague", timeZoneName: "longOffset" });
const OFFSET = /^GMT(?:([+-])(\d\d):(\d\d))?/;
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * Most days whose offset and text are remembered: a look-up in time zone data takes microseconds, and a page has hundreds of
 * times.
 */
const MAX_REMEMBERED_DAYS = 20_000;
const rememberedOffsets = new Map<number, number>();
const rememberedTexts = new Map<number, string>();

/** Whether a text is a calendar day in the form of an ISODate (COBS 3.1.5), in any year of four digits. */
export function isCalendarDay(text: string): boolean {
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (year === undefined) return false;
  const count = daysInMonth(Number(year), Number(month));
  return count !== undefined && Number(day) >= 1 && Number(day) <= count;
}

/**
 * Returns the first instant of a bank-local day, which has 23, 24 or 25 hours; throws a `RangeError` for a text that is not a
 * day.
 */
export function startOfBankDay(day: string): Date {
  return bankMidnight(utcMidnightOf(day));
}

/** Returns the first instant after a bank-local day; throws as `startOfBankDay` does. */
export function endOfBankDay(day: string): Date {
  return bankMidnight(utcMidnightOf(day) + DAY_MS);
}

/** Returns the bank-local day of an instant. */
export function bankDayOf(instant: Date): string {
  const time = instant.getTime();
  return textOfDay(Math.floor((time + offsetAt(time)) / DAY_MS));
}

/** Returns the day `count` days before a day; after it if `count` is negative. */
export function daysBefore(day: string, count: number): string {
  return textOfDay(utcMidnightOf(day) / DAY_MS - count);
}

/** Writes an instant with the bank's offset at that time, e.g. `2024-05-02T12:15:00.000+02:00`. */
export function presentBankTime(instant: Date): string {
  const time = instant.getTime();
  const offset = offsetAt(time);
  return `${new Date(time + offset).toISOString().slice(0, -1)}${presentOffset(offset)}`;
}

/** Writes a day that is counted from 1970-01-01. */
function textOfDay(day: number): string {
  const known = rememberedTexts.get(day);
  if (known !== undefined) return known;
  const text = new Date(day * DAY_MS).toISOString().slice(0, 10);
  if (rememberedTexts.size >= MAX_REMEMBERED_DAYS) rememberedTexts.clear();
  rememberedTexts.set(day, text);
  return text;
}

function bankMidnight(utcMidnight: number): Date {
  // The offset of the day before holds until the clock changes, which the second look-up notices.
  const guess = utcMidnight - offsetAt(utcMidnight - DAY_MS);
  return new Date(utcMidnight - offsetAt(guess));
}

function presentOffset(offset: number): string {
  const minutes = Math.abs(offset) / MINUTE_MS;
  const hour = String(Math.floor(minutes / 60)).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${hour}:${String(minutes % 60).padStart(2, "0")}`;
}

function daysInMonth(year: number, month: number): number | undefined {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
}

function utcMidnightOf(day: string): number {
  if (!isCalendarDay(day)) throw new RangeError("not a day of the calendar");
  return Date.parse(`${day}T00:00:00Z`);
}

/** Returns how far the bank's clock is ahead of UTC, in milliseconds. */
function offsetAt(time: number): number {
  const day = Math.floor(time / DAY_MS);
  return rememberedOffsets.get(day) ?? rememberOffset(day) ?? readOffset(time);
}

/** Returns the only offset of a UTC day; undefined if the clock changes on that day. */
function rememberOffset(day: number): number | undefined {
  const offset = readOffset(day * DAY_MS);
  if (offset !== readOffset((day + 1) * DAY_MS)) return undefined;
  if (rememberedOffsets.size >= MAX_REMEMBERED_DAYS) rememberedOffsets.clear();
  rememberedOffsets.set(day, offset);
  return offset;
}

function readOffset(time: number): number {
  const zone = CLOCK.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours = "0", minutes = "0"] = OFFSET.exec(zone) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}
