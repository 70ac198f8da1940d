import type { X509Certificate } from "node:crypto";

/** A time span of a certificate; whole seconds count, fractions are cut off (RFC 5280 4.1.2.5). */
export type Validity = { readonly notBefore: Date; readonly notAfter: Date };

/** A time span in days relative to now; negative is in the past. */
export type ValidityDays = { readonly fromDays: number; readonly untilDays: number };

const dayMilliseconds = 86_400_000;

/** A certificate that will change its state within this many days is made again. */
const renewalDays = 30;

/** The validity from and until the given days relative to `now`. */
export function daysAround(now: Date, { fromDays, untilDays }: ValidityDays): Validity {
  return { notBefore: addDays(now, fromDays), notAfter: addDays(now, untilDays) };
}

/** The validity that a certificate states. */
export function validityOf(certificate: X509Certificate): Validity {
  return { notBefore: new Date(certificate.validFrom), notAfter: new Date(certificate.validTo) };
}

/**
 * Whether a certificate is, now and in a month, in the state that a new one of `days` would be: not yet valid, valid, or
 * expired.
 */
export function isStillAsMeant(validity: Validity, days: ValidityDays, now: Date): boolean {
  const meant = phaseAt(daysAround(now, days), now);
  return phaseAt(validity, now) === meant && phaseAt(validity, addDays(now, renewalDays)) === meant;
}

function phaseAt({ notBefore, notAfter }: Validity, instant: Date): "before" | "within" | "after" {
  if (instant < notBefore) return "before";
  return instant > notAfter ? "after" : "within";
}

function addDays(instant: Date, days: number): Date {
  return new Date(instant.getTime() + days * dayMilliseconds);
}
