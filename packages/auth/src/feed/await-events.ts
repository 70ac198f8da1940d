import type { Feed, FeedBatch } from "./feed.ts";
import type { FeedCursor } from "./feed-event.ts";
import type { FeedWake } from "./feed-wake-postgres.ts";

/** Longest wait of a reader, in milliseconds: an answer without events is its heartbeat. */
export const MAX_WAIT_MILLISECONDS = 1_000;

/** Where a reader stands, and how long it waits for something new. */
export interface FeedQuestion {
  readonly after: FeedCursor;
  readonly waitMilliseconds: number;
}

/**
 * The next events after a cursor, as soon as there are some; an empty batch when the wait is over. The database was
 * always asked at the end of the wait, so that an empty batch says: nothing until now. Undefined when the reader cannot
 * go on from it.
 */
export async function awaitEvents(
  feed: Pick<Feed, "readAfter">,
  wake: FeedWake,
  { after, waitMilliseconds }: FeedQuestion,
): Promise<FeedBatch | undefined> {
  const over = AbortSignal.timeout(waitMilliseconds);
  const { releases } = wake;
  const mayWait = () => !over.aborted && !wake.stopped && wake.releases === releases;
  for (;;) {
    const isLast = waitMilliseconds === 0 || !mayWait();
    // Before reading, so that an event between the two is not slept through.
    const woken = wake.next(over);
    const batch = await feed.readAfter(after);
    if (isLast || batch === undefined || batch.events.length > 0) return batch;
    await woken;
  }
}
