import { MIGRATIONS_DIRECTORY } from "@cobs/resource";
import { type Database, migrateDatabase, openDatabase, Secret } from "@cobs/service-edge";
import { readableLog } from "../../support/readable-log.ts";
import { createMigratedTestDatabase, PATIENT } from "../../support/test-databases.ts";

/** A new database of the resource server, or that of `databaseUrl`, migrated; the caller closes it. */
export async function openMigratedDatabase(databaseUrl?: string, timeLimits = PATIENT): Promise<Database> {
  const url = new Secret(databaseUrl ?? (await createMigratedTestDatabase(MIGRATIONS_DIRECTORY)));
  const { log } = readableLog();
  if (databaseUrl !== undefined) await migrateDatabase({ url, directory: MIGRATIONS_DIRECTORY, log });
  return openDatabase({ url, maxConnections: 8, applicationName: "test", log, timeLimits });
}
