const MINUTE = 60_000;
/** Length of the longest day, on which summer time ends. */
const MINUTES_OF_DAY = 1_500;
const TIME_OF_DAY = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Prague", timeStyle: "short" });

/** Milliseconds until it is next the shown time of day, given without seconds, in Prague. */
export function untilShown(shown: string, now: Date): number {
  const begun = Math.floor(now.getTime() / MINUTE) * MINUTE;
  for (let minutes = 0; minutes < MINUTES_OF_DAY; minutes += 1) {
    const then = begun + minutes * MINUTE;
    // Pages write the hours before ten with one digit.
    if (TIME_OF_DAY.format(then) === shown.padStart(5, "0")) return then - now.getTime();
  }
  throw new Error(`it is never ${shown} within a day of ${now.toISOString()}`);
}
