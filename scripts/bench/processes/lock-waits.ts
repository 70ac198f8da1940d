import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

/** Samples the database periodically until `stop` returns the result. */
export interface LockWaits {
  /** Share of the time of busy connections that they spent waiting for locks, from 0 to 1. */
  stop(): Promise<number>;
}

const PERIOD_MILLISECONDS = 20;
/**
 * Counts the connections in the middle of a statement, and those of them that wait for a lock: of a row or table, or internal
 * to PostgreSQL. A connection that waits until another one's flush includes its commit waits for the disk, not for a lock.
 */
const LOOK = {
  name: "bench-locks",
  text: `SELECT count(*)::int AS busy, count(*) FILTER (WHERE wait_event_type = 'Lock'
      OR (wait_event_type = 'LWLock' AND wait_event <> 'WALWrite'))::int AS waiting
    FROM pg_stat_activity
    WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`,
};

/** Starts sampling. */
export async function watchLocks(databaseUrl: string): Promise<LockWaits> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const stopping = new AbortController();
  const seen = { busy: 0, waiting: 0 };
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      const { rows } = await client.query<{ busy: number; waiting: number }>(LOOK);
      seen.busy += rows[0]?.busy ?? 0;
      seen.waiting += rows[0]?.waiting ?? 0;
      await delay(PERIOD_MILLISECONDS);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await watching;
      await client.end();
      return seen.busy === 0 ? 0 : seen.waiting / seen.busy;
    },
  };
}
