import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Clock } from "@cobs/service-edge";
import { createLeakyBucket, keepForEach } from "../limits/leaky-bucket.ts";
import { refusalFor } from "../limits/limit-refusal.ts";

/** Counts a payment that is about to be entered, whatever becomes of it. Refuses with `payment_limit`. */
export type CountEntry = (tpp: OrganisationIdentifier) => void;

/**
 * Counts in this process. Every entered payment is stored for as long as unsigned payments are kept, whether or not a
 * PSU ever approves it, so their number has to be limited.
 */
export function countEntries(perMinute: number, clock: Clock): CountEntry {
  const bucketOf = keepForEach(() => createLeakyBucket(perMinute, clock));
  return (tpp) => {
    const bucket = bucketOf(tpp);
    const waitMilliseconds = bucket.waitFor();
    if (waitMilliseconds > 0) throw refusalFor(waitMilliseconds, "payment_limit", clock);
    bucket.fill();
  };
}
