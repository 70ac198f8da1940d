import type { Feed, FeedBatch } from "./feed.ts";
import type { FeedCursor } from "./feed-event.ts";
import type { FeedWake } from "./feed-wake.ts";

/** Longest wait of a reader, in milliseconds: an answer without events is its heartbeat. */
export const MAX_WAIT_MILLISECONDS = 1_000;

/** A reader's cursor, and how long it waits for new events. */
export interface FeedQuestion {
  readonly after: FeedCursor;
  readonly waitMilliseconds: number;
}

/**
 * Returns the next events after a cursor as soon as there are some; an empty batch when the wait is over. The database is always
 * read at the end of the wait, so that an empty batch means: nothing until now. Undefined when the reader cannot continue from
 * there.
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
    // Registered before reading, so that an event in between is not missed.
    const woken = wake.next(over);
    const batch = await feed.readAfter(after);
    if (isLast || batch === undefined || batch.events.length > 0) return batch;
    await woken;
  }
}
