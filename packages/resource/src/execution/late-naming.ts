import type { PaymentId } from "../payments/payment-ids.ts";

const PAUSE_MILLISECONDS = 3_600_000;
/** A few megabytes. */
const MOST_REMEMBERED = 50_000;

/**
 * Whether the log should name a payment that is late, or forgotten, at this look, timed by a monotonic clock; a yes counts as
 * naming it. Such payments are looked at every minute, and there may be thousands of them.
 */
export type IsToBeNamed = (paymentId: PaymentId, monotonicMilliseconds: number) => boolean;

/**
 * Makes the memory of one process, in which such a payment is named once an hour. Other processes name it too, so that the log
 * of each names all that it counts. Payments beyond the most that are remembered are named at each look, rather than never.
 */
export function createLateNaming(mostRemembered: number = MOST_REMEMBERED): IsToBeNamed {
  const named = new Map<PaymentId, number>();
  return (paymentId, now) => {
    forgetUntil(named, now - PAUSE_MILLISECONDS);
    if (named.has(paymentId)) return false;
    if (named.size < mostRemembered) named.set(paymentId, now);
    return true;
  };
}

/** A map keeps the order of its entries: the longest known come first. */
function forgetUntil(named: Map<PaymentId, number>, time: number): void {
  for (const [paymentId, namedAt] of named) {
    if (namedAt > time) return;
    named.delete(paymentId);
  }
}
