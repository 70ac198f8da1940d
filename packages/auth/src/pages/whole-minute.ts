const MINUTE_MILLISECONDS = 60_000;

/** The first whole minute at which a time has come: a wait that is told without seconds is over when its end is read. */
export function wholeMinuteOf(end: Date): Date {
  return new Date(Math.ceil(end.getTime() / MINUTE_MILLISECONDS) * MINUTE_MILLISECONDS);
}
