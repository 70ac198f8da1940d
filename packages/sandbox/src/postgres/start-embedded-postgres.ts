import { findEmbeddedBinaries } from "./find-embedded-binaries.ts";
import type { PostgresServer } from "./postgres-server.ts";
import { type PostgresSettings, startPostgres } from "./start-postgres.ts";

/**
 * Starts the PostgreSQL that npm installed in the given folder, or attaches to the one that a living process started there. It
 * ends with our process, however that ends. Refuses with every code of `PostgresRefusal`.
 */
export async function startEmbeddedPostgres(settings: PostgresSettings): Promise<PostgresServer> {
  return startPostgres({ ...settings, binaries: await findEmbeddedBinaries() });
}
