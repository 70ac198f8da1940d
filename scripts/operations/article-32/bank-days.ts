/** A day as the bank counts it: in Prague, where two days of a year do not have 24 hours. */
export interface BankDay {
  /** `2026-03-29`. */
  readonly date: string;
  readonly begin: Date;
  readonly end: Date;
}

const ZONE = "Europe/Prague";
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const MINUTE_MILLISECONDS = 60_000;
const DAY_MILLISECONDS = 24 * 60 * MINUTE_MILLISECONDS;
/** Ten years: more than anybody keeps, and far less than the million days that a mistyped year would give. */
const MOST_DAYS = 3_660;

const clockOfZone = new Intl.DateTimeFormat("en-GB", {
  timeZone: ZONE,
  dateStyle: "short",
  timeStyle: "medium",
});

/** The days from the first to the last, both included. Throws a `RangeError` that says what is unreadable. */
export function bankDays(from: string, to: string): readonly BankDay[] {
  const [first, last] = [parseDate(from), parseDate(to)];
  if (first > last) throw new RangeError(`${from} is after ${to}`);
  const count = (last - first) / DAY_MILLISECONDS + 1;
  if (count > MOST_DAYS) throw new RangeError(`${from} to ${to} are more than ${MOST_DAYS} days`);
  return Array.from({ length: count }, (_, place) => {
    const day = first + place * DAY_MILLISECONDS;
    const [begin, end] = [midnightAt(day), midnightAt(day + DAY_MILLISECONDS)];
    return { date: new Date(day).toISOString().slice(0, 10), begin, end };
  });
}

function parseDate(text: string): number {
  const milliseconds = Date.parse(`${text}T00:00:00Z`);
  const isDate = DATE.test(text) && Number.isFinite(milliseconds);
  if (!isDate || new Date(milliseconds).toISOString().slice(0, 10) !== text)
    throw new RangeError(`${text} is not a date such as 2026-07-01`);
  return milliseconds;
}

/**
 * The moment at which the zone's clocks show midnight of a date; `utc` is midnight of that date in UTC. Clocks change at one in
 * UTC, so the offset at midnight in UTC equals that at local midnight.
 */
function midnightAt(utc: number): Date {
  const shown = clockOfZone.formatToParts(utc);
  const part = (type: string) => Number(shown.find((each) => each.type === type)?.value);
  const ahead = (part("hour") * 60 + part("minute")) * MINUTE_MILLISECONDS;
  return new Date(utc - ahead);
}
