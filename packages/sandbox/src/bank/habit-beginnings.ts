import type { Habit } from "./account-plan.ts";
import type { BookingKindName } from "./booking-kinds.ts";

/** The first members of a habit: what happens, and when. */
export type HabitBeginning = Pick<Habit, "kind" | "when">;

/** A habit on one day of every month, moved to the next business day if banks are closed. */
export function monthly(kind: BookingKindName, monthlyOn: number): HabitBeginning {
  return { kind, when: { monthlyOn } };
}

/** A habit on one day of every nth month; `from` keeps habits with the same n apart. */
export function rarely(kind: BookingKindName, everyMonths: number, from = 0): HabitBeginning {
  return { kind, when: { monthlyOn: 1 + ((from * 5) % 28), everyMonths, from } };
}

/** A habit that happens `timesPerMonth` times in an average month. */
export function often(kind: BookingKindName, timesPerMonth: number): HabitBeginning {
  return { kind, when: { timesPerMonth } };
}
