import { isBusinessDay } from "@cobs/cobs-model";
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
  /** Whether banks are closed, at weekends and on holidays. */
  readonly isClosed: boolean;
  /**
   * Numbers of days in a month that fall due on this day, each with its month; a business day also takes the days before it on
   * which banks were closed.
   */
  readonly dueDays: ReadonlyMap<number, number>;
};

const DAY = 86_400_000;
const DAYS_PER_MONTH = 30.44;
const BUSINESS_DAYS_PER_MONTH = 21.74;

/** The days of the two years before an instant; the last one has ended, so that nothing lies in the future. */
export function daysBefore(asOf: Date): readonly DemoDay[] {
  const end = Math.floor(asOf.getTime() / DAY) * DAY;
  const first = new Date(end);
  first.setUTCFullYear(first.getUTCFullYear() - 2);
  const count = Math.round((end - first.getTime()) / DAY);
  return Array.from({ length: count }, (_, index) => dayOf(end - (count - index) * DAY));
}

/** How often a habit happens on a day; settlement between banks pauses while they are closed. */
export function occurrencesOf({ kind, when }: Habit, day: DemoDay, random: Random): number {
  if ("monthlyOn" in when) {
    const { monthlyOn, everyMonths = 1, from = 0 } = when;
    const month = day.dueDays.get(monthlyOn);
    return month !== undefined && (month - from) % everyMonths === 0 ? 1 : 0;
  }
  const isEveryDay = BOOKING_KINDS[kind].everyDay;
  if (day.isClosed && !isEveryDay) return 0;
  const expected = when.timesPerMonth / (isEveryDay ? DAYS_PER_MONTH : BUSINESS_DAYS_PER_MONTH);
  return Math.floor(expected) + (random() < expected % 1 ? 1 : 0);
}

/** The first business day at least `days` days later, `YYYY-MM-DD`. */
export function businessDayAfter({ start }: DemoDay, days: number): string {
  const next = dayOf(start + days * DAY);
  return next.isClosed ? businessDayAfter(next, 1) : next.date;
}

function dayOf(start: number): DemoDay {
  const isClosed = isClosedOn(start);
  const dueDays = new Map(isClosed ? [] : [dueOn(start)]);
  if (!isClosed)
    for (let before = start - DAY; isClosedOn(before); before -= DAY) dueDays.set(...dueOn(before));
  return { start, date: dateOf(start), month: monthOf(start), isClosed, dueDays };
}

function isClosedOn(start: number): boolean {
  return !isBusinessDay("czech", dateOf(start));
}

function dueOn(start: number): [number, number] {
  return [new Date(start).getUTCDate(), monthOf(start)];
}

function dateOf(start: number): string {
  return new Date(start).toISOString().slice(0, 10);
}

function monthOf(start: number): number {
  const date = new Date(start);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
