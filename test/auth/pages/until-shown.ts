const MINUTE = 60_000;

/** How many milliseconds it is to the time of day that a page shows, without seconds, in Prague. */
export function untilShown(shown: string, now: Date): number {
  const [hour, minute] = shown.split(":").map(Number);
  const [hourNow, minuteNow] = now
    .toLocaleTimeString("en-GB", { timeZone: "Europe/Prague", hour: "2-digit", minute: "2-digit" })
    .split(":")
    .map(Number);
  const minutes = (Number(hour) - Number(hourNow)) * 60 + Number(minute) - Number(minuteNow);
  return ((minutes + 1_440) % 1_440) * MINUTE - (now.getTime() % MINUTE);
}
