import { endOfBankDay, startOfBankDay } from "@cobs/cobs-model";
import type { ApprovedPayment } from "../payments/payment.ts";
import type { DueTime, Lease } from "../payments/payment-store.ts";

const FIRST_PAUSE_MILLISECONDS = 500;
const LONGEST_PAUSE_MILLISECONDS = 60_000;
const SHORTEST_LEASE_MILLISECONDS = 15_000;
/** Answer times that fit into a lease: one for a look-up, one for an order, one for the writes before and after. */
const ANSWERS_IN_A_LEASE = 3;
/** Until the morning: a bank may book the orders of a day in the night after it. */
const LATE_MILLISECONDS = 6 * 3_600_000;
const INSTANT_LATE_MILLISECONDS = 15 * 60_000;
/** With this many doublings, the pause is beyond the longest one. */
const MOST_DOUBLINGS = 10;

/**
 * When to ask for the first time about an accepted payment: an instant one at once, any other on its execution date.
 */
export function firstLook({
  executionDate,
  order,
}: Pick<ApprovedPayment, "executionDate" | "order">): DueTime {
  return order.priority === "INST" ? { afterMilliseconds: 0 } : lookSoon({ executionDate });
}

/** When to ask for the first time about a payment that has just been found to be accepted. */
export function lookSoon({ executionDate }: Pick<Lease, "executionDate">): DueTime {
  return { afterMilliseconds: FIRST_PAUSE_MILLISECONDS, notBefore: startOfBankDay(executionDate) };
}

/**
 * When to ask again about an accepted payment: after as long again as it could have been settled for, at most a minute, and
 * not before its execution date. An instant one is asked about no later than it would be tried again. The number of attempts
 * to hand it over makes no pause longer.
 */
export function nextLook(
  {
    executionDate,
    since,
    isInstant,
    attempt,
  }: Pick<Lease, "executionDate" | "since" | "isInstant" | "attempt">,
  now: Date,
): DueTime {
  const notBefore = startOfBankDay(executionDate);
  const begun = Math.max(since.getTime(), notBefore.getTime());
  // A process whose clock is behind that of the process that recorded the acceptance must not ask all the time either.
  const waited = Math.max(Math.abs(now.getTime() - begun), FIRST_PAUSE_MILLISECONDS);
  // To a process whose clock is ahead, a payment accepted just now has waited long: its TPP would be told that much later.
  const most = isInstant ? pauseBefore(attempt) : LONGEST_PAUSE_MILLISECONDS;
  return { afterMilliseconds: Math.min(waited, most), notBefore };
}

/**
 * Whether an accepted payment should long have ended: its day was over six hours ago or, if it is instant, its day has begun a
 * quarter of an hour ago. A payment that was accepted later has this time from then on. The store's clock counts as well: a
 * process whose own clock is ahead must not blame the bank.
 */
export function isLate(
  {
    executionDate,
    since,
    takenAt,
    isInstant,
  }: Pick<Lease, "executionDate" | "since" | "takenAt" | "isInstant">,
  now: Date,
): boolean {
  const dueAt = isInstant ? startOfBankDay(executionDate) : endOfBankDay(executionDate);
  const limit = isInstant ? INSTANT_LATE_MILLISECONDS : LATE_MILLISECONDS;
  const certain = Math.min(now.getTime(), takenAt.getTime());
  return certain >= Math.max(since.getTime(), dueAt.getTime()) + limit;
}

/** When to try again: after a pause that grows with each attempt, up to a minute. */
export function nextTry(attempt: number): DueTime {
  return { afterMilliseconds: pauseBefore(attempt) };
}

function pauseBefore(attempt: number): number {
  const pause = FIRST_PAUSE_MILLISECONDS * 2 ** Math.min(attempt, MOST_DOUBLINGS);
  return Math.min(pause, LONGEST_PAUSE_MILLISECONDS);
}

/**
 * How long a payment belongs to the process that works on it, in milliseconds: longer than all the questions that the
 * process may ask the bank meanwhile, each of which is answered or given up within `answerMilliseconds`. Otherwise
 * another process could send an order that is still on its way.
 */
export function leaseFor(answerMilliseconds: number): number {
  return Math.max(SHORTEST_LEASE_MILLISECONDS, ANSWERS_IN_A_LEASE * answerMilliseconds);
}
