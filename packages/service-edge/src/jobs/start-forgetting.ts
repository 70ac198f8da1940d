import type { Repeated } from "./repeat.ts";
import { type BatchTerms, startBatches } from "./start-batches.ts";

const BATCH = 1_000;
const PAUSES = { lookMilliseconds: 60_000, busyMilliseconds: 50 };

/**
 * Deletes what decides nothing any more, batch after batch and then again each minute, until it is stopped. Every process
 * does, and nothing depends on it but the size of a table. `forgetOld` deletes at most so many, and gives how many.
 */
export function startForgetting(
  forgetOld: (batch: number) => Promise<number>,
  terms: Pick<BatchTerms, "log" | "failure" | "again">,
): Repeated {
  return startBatches(async () => (await forgetOld(BATCH)) >= BATCH, { ...PAUSES, ...terms });
}
