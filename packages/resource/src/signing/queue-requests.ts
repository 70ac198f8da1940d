import type { EndingTaker } from "../endings/ending.ts";
import { findSigningRequestId, type SigningRequestId } from "../payments/payment-ids.ts";
import { createWakingQueue, type WakingQueue } from "./waking-queue.ts";

/** Requests of which auth has told that they were decided. */
export interface QueuedRequests extends EndingTaker, Pick<WakingQueue<SigningRequestId>, "takeAll" | "wait"> {
  /** Again, because what was decided could not be taken. */
  put(requestId: SigningRequestId): void;
}

/** More are left to the sweep, which finds them all. */
const MOST_QUEUED = 10_000;

/** Makes an empty queue. It holds ids alone: what was decided is asked for when it is taken. */
export function queueRequests(): QueuedRequests {
  const { put, takeAll, wait } = createWakingQueue<SigningRequestId>(MOST_QUEUED);
  return {
    put: (requestId) => void put(requestId, requestId),
    takeAll,
    wait,
    // What was told while nobody listened is found by the sweep.
    begin: () => {},
    take: (ending) => {
      if (!("request" in ending)) return;
      const requestId = findSigningRequestId(ending.request);
      if (requestId !== undefined) put(requestId, requestId);
    },
  };
}
