import type { Queries } from "@cobs/service-edge";
import type { FeedEvent } from "./feed-event.ts";

/** Channel on which processes wake each other; events are found without it too. */
export const FEED_CHANNEL = "event_feed";

const APPEND = `WITH head AS (
    UPDATE feed_head SET pos = pos + cardinality($1::text[]) RETURNING pos
  ), added AS (
    INSERT INTO feed_event (pos, kind, key)
    SELECT head.pos - cardinality($1::text[]) + event.nth, event.kind, event.key
    FROM head, unnest($1::text[], $2::text[]) WITH ORDINALITY AS event (kind, key, nth)
  )
  SELECT pg_notify('${FEED_CHANNEL}', '') FROM head`;

const LOCK = "SELECT pos FROM feed_head FOR UPDATE";

/**
 * Appends the events of a transaction; must be its last statement. From here to the commit no other transaction gets positions,
 * so that positions follow the order of commits, and a reader who saw one has seen all before it. Because no lock is taken after
 * this one, it cannot deadlock. Without events it does nothing.
 */
export async function appendEvents(queries: Queries, events: readonly FeedEvent[]): Promise<void> {
  if (events.length === 0) return;
  const values = [events.map(({ kind }) => kind), events.map(({ key }) => key)];
  await queries.run({ name: "feed-append", text: APPEND, values });
}

/** Waits for the turn at the feed, for a transaction whose events depend on earlier commits. */
export async function takeTurnAtFeed(queries: Queries): Promise<void> {
  await queries.run({ name: "feed-lock", text: LOCK, values: [] });
}
