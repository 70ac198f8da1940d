/**
 * The event feed: what has ended, for services that remember auth's answers. This folder owns the order of events, how long they
 * are kept, and waiting for them. It does not own what ends when: each store appends its own events, in the transaction of the
 * change.
 */
import type { FeedCursor, PositionedEvent } from "./feed-event.ts";

/** Most events in one batch. */
export const MAX_BATCH_EVENTS = 500;

/** Hours that an event is kept at least; a reader that was away longer must begin anew. */
export const RETENTION_HOURS = 24;

/** Events without a gap, directly after the cursor of the reader. */
export interface FeedBatch {
  readonly events: readonly PositionedEvent[];
  /** Position of the newest event when read; if it is beyond the last of `events`, there is more to read. */
  readonly head: number;
}

/**
 * The durable events of all processes. A reader keeps its own cursor, the position of the last event it took; nothing is kept
 * about readers. An event becomes visible only together with all events before it.
 */
export interface Feed {
  /** Reads the position of the newest event; 0 before the first. Never cached: later reads are at least as new. */
  head(): Promise<number>;
  /**
   * Reads the next events after a cursor, in order, at most {@link MAX_BATCH_EVENTS}. Undefined when the reader cannot continue:
   * the next events are no longer kept, or its event is not in this feed, as after failover to a standby that lacked it, or in a
   * restored database.
   */
  readAfter(cursor: FeedCursor): Promise<FeedBatch | undefined>;
}
