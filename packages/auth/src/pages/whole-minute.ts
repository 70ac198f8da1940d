const MINUTE_MILLISECONDS = 60_000;

/** Rounds up to a whole minute, so that a wait that is shown without seconds is over when its end is read. */
export function wholeMinuteOf(end: Date): Date {
  return new Date(Math.ceil(end.getTime() / MINUTE_MILLISECONDS) * MINUTE_MILLISECONDS);
}
