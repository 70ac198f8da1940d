/**
 * The event feed: what has ended, for those who remember what auth once said. This folder owns the order of events, how
 * long they are kept, and waiting for them. It does not own what ends when: each store appends its own events, in the
 * transaction of the change.
 */
import type { FeedCursor, PositionedEvent } from "./feed-event.ts";

/** Most events in one batch. */
export const MAX_BATCH_EVENTS = 500;

/** Hours for which an event is kept at least; a reader that was away for longer has to begin anew. */
export const RETENTION_HOURS = 24;

/** Events without a gap, right after the position that was asked about. */
export interface FeedBatch {
  readonly events: readonly PositionedEvent[];
  /** That of the newest event at the moment of reading; beyond the last of `events` there is more to read. */
  readonly head: number;
}

/**
 * The events of all processes, durable. A reader keeps its own cursor, the position of the last event that it has taken;
 * nothing is kept about readers. An event is seen only with all events before it.
 */
export interface Feed {
  /** The position of the newest event; 0 before the first. Never cached: what is read afterwards is at least as new. */
  head(): Promise<number>;
  /**
   * The next events after a cursor, in order, at most {@link MAX_BATCH_EVENTS}. Undefined when the reader cannot go on from
   * there: the next events are not kept any more, or its event is none of this feed, as after the takeover of a standby
   * that had not got it yet, or with a restored database.
   */
  readAfter(cursor: FeedCursor): Promise<FeedBatch | undefined>;
}
