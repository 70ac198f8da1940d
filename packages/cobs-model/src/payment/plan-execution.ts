import { bankDayOf, daysBefore, presentBankTime } from "../bank-day.ts";
import { type BankCalendar, nextBusinessDay } from "./bank-calendar.ts";
import type { BankTerms, PaymentOrder, PaymentType } from "./payment-order.ts";

/** When a payment is executed, and whether that differs from the requested day (`ACWC` with `TM01`, COBS 3.2.5). */
export type ExecutionPlan = { readonly executionDate: string; readonly changed: boolean };

/**
 * Finds the bank-local day on which an order is executed if it is approved in time: the requested day, or else today. Past the
 * cut-off time of its type and priority, or on a day that is not a business day, it is the next business day. An
 * instant payment is executed on any day, at any time. The order must have been read with the same terms.
 */
export function planExecution(order: PaymentOrder, terms: BankTerms, now: Date): ExecutionPlan {
  const today = bankDayOf(now);
  const wanted = order.requestedExecutionDate ?? today;
  const executionDate = findDay(order, wanted, { terms, now });
  return { executionDate, changed: executionDate !== wanted };
}

/**
 * Returns the calendars on which a type of payment needs a business day: all but domestic payments also settle through TARGET.
 */
export function calendarsOf(type: PaymentType): readonly BankCalendar[] {
  return type === "domestic" ? ["czech"] : ["czech", "target"];
}

function findDay(
  { type, priority }: PaymentOrder,
  wanted: string,
  { terms, now }: { readonly terms: BankTerms; readonly now: Date },
): string {
  if (priority === "INST") return wanted;
  const calendars = calendarsOf(type);
  const day = nextBusinessDay(calendars, wanted);
  if (day !== bankDayOf(now)) return day;
  const isLate = presentBankTime(now).slice(11, 16) >= terms.cutOff[type][priority];
  return isLate ? nextBusinessDay(calendars, daysBefore(day, -1)) : day;
}
