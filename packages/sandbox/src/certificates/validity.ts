/** A time span of a certificate; whole seconds count, fractions are cut off (RFC 5280 4.1.2.5). */
export type Validity = { readonly notBefore: Date; readonly notAfter: Date };

/** A time span in days relative to now; negative is in the past. */
export type ValidityDays = { readonly fromDays: number; readonly untilDays: number };

const dayMilliseconds = 86_400_000;

/** The validity that begins and ends so many days from `now`. */
export function daysAround(now: Date, { fromDays, untilDays }: ValidityDays): Validity {
  return {
    notBefore: new Date(now.getTime() + fromDays * dayMilliseconds),
    notAfter: new Date(now.getTime() + untilDays * dayMilliseconds),
  };
}
