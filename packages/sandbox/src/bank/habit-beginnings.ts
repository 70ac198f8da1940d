import type { Habit } from "./account-plan.ts";
import type { BookingKindName } from "./booking-kinds.ts";

/** How a habit begins: what happens, and when. */
export type HabitBeginning = Pick<Habit, "kind" | "when">;

/** Something that happens on one day of every month, moved to the next business day where banks are closed. */
export function monthly(kind: BookingKindName, monthlyOn: number): HabitBeginning {
  return { kind, when: { monthlyOn } };
}

/** Something that happens on one day of every nth month; `from` tells apart what would fall on the same ones. */
export function rarely(kind: BookingKindName, everyMonths: number, from = 0): HabitBeginning {
  return { kind, when: { monthlyOn: 1 + ((from * 5) % 28), everyMonths, from } };
}

/** Something that happens so many times in an average month. */
export function often(kind: BookingKindName, timesPerMonth: number): HabitBeginning {
  return { kind, when: { timesPerMonth } };
}
