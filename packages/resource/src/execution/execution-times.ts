import { startOfBankDay } from "@cobs/cobs-model";
import type { ApprovedPayment } from "../payments/payment.ts";

const FIRST_PAUSE_MILLISECONDS = 500;
const LONGEST_PAUSE_MILLISECONDS = 60_000;
const SHORTEST_LEASE_MILLISECONDS = 15_000;
/** A look-up, an order, and what is written before and after. */
const ANSWERS_IN_A_LEASE = 3;
/** Two to this power is beyond the longest pause. */
const MOST_DOUBLINGS = 10;

/** When to ask first how an accepted payment goes: an instant one at once, any other on its day. */
export function firstLookAt(
  { executionDate, order }: Pick<ApprovedPayment, "executionDate" | "order">,
  now: Date,
): Date {
  if (order.priority === "INST") return now;
  const day = startOfBankDay(executionDate);
  const soon = new Date(now.getTime() + FIRST_PAUSE_MILLISECONDS);
  return day > soon ? day : soon;
}

/** When to try again what has been tried so many times: later each time, a minute later at most. */
export function nextTryAt(now: Date, attempt: number): Date {
  const pause = FIRST_PAUSE_MILLISECONDS * 2 ** Math.min(attempt, MOST_DOUBLINGS);
  return new Date(now.getTime() + Math.min(pause, LONGEST_PAUSE_MILLISECONDS));
}

/**
 * For how long nobody else takes a payment that one process works on, in milliseconds: longer than all that it may ask a bank
 * meanwhile that answers, or is given up, within so long. Otherwise another one might send what is still on its way.
 */
export function leaseFor(answerMilliseconds: number): number {
  return Math.max(SHORTEST_LEASE_MILLISECONDS, ANSWERS_IN_A_LEASE * answerMilliseconds);
}
