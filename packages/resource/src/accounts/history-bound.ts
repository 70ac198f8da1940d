import { bankDayOf, daysBefore, startOfBankDay } from "@cobs/cobs-model";

const RECENT_DAYS = 90;
const MINUTE_MS = 60_000;
const EVERYTHING = new Date(-8_640_000_000_000_000);

/** Finds the first instant of the last 90 days, counted in days of the bank. */
export function startOfRecentHistory(now: Date): Date {
  return startOfBankDay(daysBefore(bankDayOf(now), RECENT_DAYS));
}

/**
 * Finds the first instant of the history that a TPP may read: all of it for `minutes` after the PSU was strongly
 * authenticated for the consent, then the last 90 days (RTS Article 10a(1)(b)). An unknown time of authentication counts as
 * long ago.
 */
export function historyBoundOf(now: Date, authenticatedAt: Date | undefined, minutes: number): Date {
  const isFresh =
    authenticatedAt !== undefined && now.getTime() - authenticatedAt.getTime() < minutes * MINUTE_MS;
  return isFresh ? EVERYTHING : startOfRecentHistory(now);
}
