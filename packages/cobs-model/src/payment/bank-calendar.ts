/**
 * The days on which payments are settled (COBS A-72). It owns the public holidays of Czechia (Act 245/2000 Coll.) and the
 * closing days of TARGET (ECB guideline on TARGET, from 2002). Days are bank-local, `YYYY-MM-DD`.
 */
import { daysBefore } from "../bank-day.ts";

/** Calendar of the banks of Czechia, or of TARGET, which settles euros. */
export type BankCalendar = "czech" | "target";

/** Table: holidays on the same day each year, `MM-DD`. */
const FIXED: Readonly<Record<BankCalendar, ReadonlySet<string>>> = {
  czech: new Set("01-01 05-01 05-08 07-05 07-06 09-28 10-28 11-17 12-24 12-25 12-26".split(" ")),
  target: new Set("01-01 05-01 12-25 12-26".split(" ")),
};

/** Easter and its holidays are in March and April. */
const SPRING = /^\d{4}-0[34]/;

/** Whether a day is a business day of a calendar: not a weekend, a holiday, Good Friday or Easter Monday. */
export function isBusinessDay(calendar: BankCalendar, day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  if (weekday === 0 || weekday === 6) return false;
  return !FIXED[calendar].has(day.slice(5)) && !isEasterHoliday(day);
}

/** Returns the day, or the first after it, that is a business day of all calendars. */
export function nextBusinessDay(calendars: readonly BankCalendar[], day: string): string {
  let next = day;
  while (!calendars.every((calendar) => isBusinessDay(calendar, next))) next = daysBefore(next, -1);
  return next;
}

/** Returns the day, or the last before it, that is a business day of all calendars. */
export function lastBusinessDay(calendars: readonly BankCalendar[], day: string): string {
  let last = day;
  while (!calendars.every((calendar) => isBusinessDay(calendar, last))) last = daysBefore(last, 1);
  return last;
}

function isEasterHoliday(day: string): boolean {
  if (!SPRING.test(day)) return false;
  const sunday = easterSundayOf(Number(day.slice(0, 4)));
  return day === daysBefore(sunday, 2) || day === daysBefore(sunday, -1);
}

/** Returns the western Easter of a Gregorian year, by the method of Oudin (1940). */
function easterSundayOf(year: number): string {
  const century = Math.floor(year / 100);
  const golden = year % 19;
  const leaps = century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25);
  const epact = (leaps + 19 * golden + 15) % 30;
  const moon = epact - (epact === 29 || (epact === 28 && golden > 10) ? 1 : 0);
  const weekday = (year + Math.floor(year / 4) + moon + 2 - century + Math.floor(century / 4)) % 7;
  return daysBefore(`${String(year).padStart(4, "0")}-03-28`, weekday - moon);
}
