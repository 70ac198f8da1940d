import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Clock } from "@cobs/service-edge";
import { createLeakyBucket, keepForEach } from "../limits/leaky-bucket.ts";
import { refusalFor } from "../limits/limit-refusal.ts";

/** Counts a payment that is about to be entered, whatever its outcome. Refuses with `payment_limit`. */
export type CountEntry = (tpp: OrganisationIdentifier) => void;

/**
 * Counts entries in this process. An entered payment is stored for as long as unsigned payments are kept, even if no PSU ever
 * approves it, so the number of entries must be limited.
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
