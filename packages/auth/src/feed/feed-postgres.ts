import { type Database, gather, type Statement } from "@cobs/service-edge";
import { type Feed, type FeedBatch, MAX_BATCH_EVENTS, RETENTION_HOURS } from "./feed.ts";
import type { FeedCursor, FeedEventKind, PositionedEvent } from "./feed-event.ts";

interface HeadRow {
  readonly head: bigint;
}

interface EventRow {
  readonly pos: bigint;
  readonly kind: FeedEventKind;
  readonly key: string;
  readonly mark: string;
}

/** Without further events there is one row, which has no event. */
type FeedRow = HeadRow & { readonly is_known: boolean } & (EventRow | { readonly pos: null });

const HEAD = "SELECT pos AS head FROM feed_head";

// One statement, so that head and events are of the same moment.
const READ = `SELECT feed_head.pos AS head, event.pos, event.kind, event.key, event.mark,
    $2::uuid IS NULL OR EXISTS (SELECT FROM feed_event WHERE pos = $1 AND mark = $2::uuid) AS is_known
  FROM feed_head LEFT JOIN LATERAL (
    SELECT pos, kind, key, mark FROM feed_event WHERE pos > $1 ORDER BY pos LIMIT ${MAX_BATCH_EVENTS}
  ) AS event ON true
  ORDER BY event.pos`;

const readEvent = (row: FeedRow): readonly PositionedEvent[] =>
  row.pos === null ? [] : [{ position: Number(row.pos), kind: row.kind, key: row.key, mark: row.mark }];

function followsOn(after: number, { events, head }: FeedBatch): boolean {
  if (events.length === 0) return after === head;
  return events[0]?.position === after + 1 && events.at(-1)?.position === after + events.length;
}

/** Reads the feed in PostgreSQL. */
export function createFeed(database: Pick<Database, "run">): Feed {
  const head = gather(async (asked: readonly undefined[]) => {
    const [row] = await database.run<HeadRow>({ name: "feed-head", text: HEAD, values: [] });
    return asked.map(() => Number(row?.head ?? 0n));
  });
  return {
    head: () => head(undefined),
    async readAfter({ position, mark }: FeedCursor) {
      const values = [position, mark ?? null];
      const rows = await database.run<FeedRow>({ name: "feed-read", text: READ, values });
      const batch = { events: rows.flatMap(readEvent), head: Number(rows[0]?.head ?? 0n) };
      return rows[0]?.is_known && followsOn(position, batch) ? batch : undefined;
    },
  };
}

/**
 * Builds the statement that deletes a batch of the oldest expired events. The last one stays, for the mark of readers that took
 * it. An event appended by a clock that was ahead counts as old as the next one with a correct time, however much lies between:
 * otherwise all would stay until that time has come.
 */
export function forgetOldEvents(batchRows: number): Statement {
  const isOld = `< now() - interval '${RETENTION_HOURS} hours'`;
  const isAhead = "> now() + interval '1 hour'";
  const text = `WITH oldest AS (
      SELECT pos, lead(appended_at) OVER (ORDER BY pos) AS followed_at FROM feed_event ORDER BY pos LIMIT ${batchRows}
    )
    DELETE FROM feed_event WHERE pos = ANY (ARRAY(
      SELECT pos FROM oldest WHERE followed_at ${isOld} OR (followed_at ${isAhead} AND (
        SELECT appended_at FROM feed_event
        WHERE pos >= (SELECT max(pos) FROM oldest) AND NOT appended_at ${isAhead} ORDER BY pos LIMIT 1) ${isOld}
      ))) RETURNING pos`;
  return { name: "feed-clean", text, values: [] };
}
