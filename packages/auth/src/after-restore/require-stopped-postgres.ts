import type { Database } from "@cobs/service-edge";
import { FEED_CONNECTION_NAME, SERVICE_NAME } from "../connection-names.ts";

// Covers connections of every role: their names are visible to all.
const CONNECTIONS = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND application_name IN ($1, $2)`;

/**
 * Throws if auth is connected to the database: then it is in use, and not a freshly restored copy. A pooler may keep
 * the connections of a stopped auth; one that renames connections hides a running auth.
 */
export async function requireStopped(database: Database): Promise<void> {
  const values = [SERVICE_NAME, FEED_CONNECTION_NAME];
  const [found] = await database.run<{ count: number }>({
    name: "auth-connections",
    text: CONNECTIONS,
    values,
  });
  if (found === undefined || found.count === 0) return;
  throw new Error(
    `auth is running on this database, or a pooler keeps its connections open (${found.count}): stop it first. Nothing was ended`,
  );
}
