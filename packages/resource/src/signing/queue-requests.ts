import { setTimeout as delay } from "node:timers/promises";
import type { EndingTaker } from "../endings/ending.ts";
import { findSigningRequestId, type SigningRequestId } from "../payments/payment-ids.ts";

/** Requests of which auth has told that they were decided. */
export interface QueuedRequests extends EndingTaker {
  /** Again, because what was decided could not be taken. */
  put(requestId: SigningRequestId): void;
  /** All of them, which are not queued any more. */
  takeAll(): readonly SigningRequestId[];
  /** Until there is one, or the time is over. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** More are left to the sweep, which finds them all. */
const MOST_QUEUED = 10_000;

/** Makes an empty queue. It holds ids alone: what was decided is asked for when it is taken. */
export function queueRequests(): QueuedRequests {
  const queued = new Set<SigningRequestId>();
  let waking = new AbortController();
  function put(requestId: SigningRequestId): void {
    if (queued.size < MOST_QUEUED) queued.add(requestId);
    waking.abort();
  }
  return {
    put,
    // What was told while nobody listened is found by the sweep.
    begin: () => {},
    take: (ending) => {
      if (!("request" in ending)) return;
      const requestId = findSigningRequestId(ending.request);
      if (requestId !== undefined) put(requestId);
    },
    takeAll: () => {
      const all = [...queued];
      queued.clear();
      return all;
    },
    wait: async (milliseconds, signal) => {
      if (queued.size > 0) return;
      waking = new AbortController();
      const either = AbortSignal.any([signal, waking.signal]);
      await delay(milliseconds, undefined, { signal: either, ref: false }).catch(() => {});
    },
  };
}
