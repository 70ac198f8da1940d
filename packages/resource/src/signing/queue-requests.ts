import type { EndingTaker } from "../endings/ending.ts";
import { findSigningRequestId, type SigningRequestId } from "../payments/payment-ids.ts";
import { createWakingQueue, type WakingQueue } from "./waking-queue.ts";

/** Signing requests that were decided, according to auth. */
export interface QueuedRequests extends EndingTaker, Pick<WakingQueue<SigningRequestId>, "takeAll" | "wait"> {
  /** Queues a request again, because its outcome could not be taken. */
  put(requestId: SigningRequestId): void;
}

/** Further requests are left to the sweep, which finds them all. */
const MOST_QUEUED = 10_000;

/** Creates an empty queue. It holds only ids: auth is asked for the decision once an id is taken. */
export function queueRequests(): QueuedRequests {
  const { put, takeAll, wait } = createWakingQueue<SigningRequestId>(MOST_QUEUED);
  return {
    put: (requestId) => void put(requestId, requestId),
    takeAll,
    wait,
    // The sweep finds what was decided while nobody listened.
    begin: () => {},
    take: (ending) => {
      if (!("request" in ending)) return;
      const requestId = findSigningRequestId(ending.request);
      if (requestId !== undefined) put(requestId, requestId);
    },
  };
}
