import type { Habit } from "./account-plan.ts";
import { BOOKING_KINDS } from "./booking-kinds.ts";
import type { Random } from "./random.ts";

/** A day of the demo bank. */
export type DemoDay = {
  /** Midnight UTC, in milliseconds since 1970. */
  readonly start: number;
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Months since year 0. */
  readonly month: number;
  readonly isWeekend: boolean;
  /** Days of the month that are dealt with on this day; Monday takes those of the weekend. */
  readonly dueDays: ReadonlySet<number>;
};

const DAY = 86_400_000;
const DAYS_PER_MONTH = 30.44;
const BUSINESS_DAYS_PER_MONTH = 21.74;

/** The days of the two years before an instant; the last one is over, so that nothing lies in the future. */
export function daysBefore(asOf: Date): readonly DemoDay[] {
  const end = Math.floor(asOf.getTime() / DAY) * DAY;
  const first = new Date(end);
  first.setUTCFullYear(first.getUTCFullYear() - 2);
  const count = Math.round((end - first.getTime()) / DAY);
  return Array.from({ length: count }, (_, index) => dayOf(end - (count - index) * DAY));
}

/** How many times a habit happens on a day; what banks settle among themselves rests at weekends. */
export function occurrencesOf({ kind, when }: Habit, day: DemoDay, random: Random): number {
  if ("monthlyOn" in when) {
    const { monthlyOn, everyMonths = 1, from = 0 } = when;
    return day.dueDays.has(monthlyOn) && (day.month - from) % everyMonths === 0 ? 1 : 0;
  }
  const isEveryDay = BOOKING_KINDS[kind].everyDay;
  if (day.isWeekend && !isEveryDay) return 0;
  const expected = when.timesPerMonth / (isEveryDay ? DAYS_PER_MONTH : BUSINESS_DAYS_PER_MONTH);
  return Math.floor(expected) + (random() < expected % 1 ? 1 : 0);
}

/** The first business day at least so many days after a day, `YYYY-MM-DD`. */
export function businessDayAfter({ start }: DemoDay, days: number): string {
  const next = dayOf(start + days * DAY);
  return next.isWeekend ? businessDayAfter(next, 1) : next.date;
}

function dayOf(start: number): DemoDay {
  const date = new Date(start);
  const weekday = date.getUTCDay();
  const isWeekend = weekday === 0 || weekday === 6;
  const back = weekday === 1 ? [0, 1, 2] : [0];
  const dueDays = isWeekend ? [] : back.map((days) => new Date(start - days * DAY).getUTCDate());
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
  return { start, date: date.toISOString().slice(0, 10), month, isWeekend, dueDays: new Set(dueDays) };
}
