import type { Repeated } from "./repeat.ts";
import { type BatchTerms, startBatches } from "./start-batches.ts";

const BATCH = 1_000;
const PAUSES = { lookMilliseconds: 60_000, busyMilliseconds: 50 };

/**
 * Deletes data that no longer matters, in batches, and then again every minute, until it is stopped. Every process does so,
 * and only the size of a table depends on it. `forgetOld` deletes at most a given number of rows, and returns how many.
 */
export function startForgetting(
  forgetOld: (batch: number) => Promise<number>,
  terms: Pick<BatchTerms, "log" | "failure" | "again">,
): Repeated {
  return startBatches(async () => (await forgetOld(BATCH)) >= BATCH, { ...PAUSES, ...terms });
}
