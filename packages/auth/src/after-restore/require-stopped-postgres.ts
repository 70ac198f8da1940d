import type { Database } from "@cobs/service-edge";
import { FEED_CONNECTION_NAME, SERVICE_NAME } from "../connection-names.ts";

// Of every role: the names of connections are no secret.
const CONNECTIONS = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND application_name IN ($1, $2)`;

/**
 * Refuses by throwing where auth is connected to the database: it is in use, and no copy that was restored just now. A pooler may
 * keep the connections of one that has stopped, and one that renames them hides it.
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
    `auth runs on this database, or a pooler keeps its connections (${found.count}): stop it first. Nothing has ended`,
  );
}
