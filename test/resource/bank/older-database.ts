import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MIGRATIONS_DIRECTORY } from "@cobs/resource";
import { type Database, migrateDatabase, openDatabase, Secret } from "@cobs/service-edge";
import { readableLog } from "../../support/readable-log.ts";
import { createTestDatabase, PATIENT } from "../../support/test-databases.ts";

/** A new database of the resource server to which only these migrations were applied; the caller closes it. */
export async function openOlderDatabase(migrations: readonly string[]): Promise<{
  readonly database: Database;
  readonly bringUpToDate: () => Promise<void>;
}> {
  const url = new Secret(await createTestDatabase());
  const { log } = readableLog();
  const directory = mkdtempSync(join(tmpdir(), "cobs-migrations-"));
  for (const name of migrations) copyFileSync(join(MIGRATIONS_DIRECTORY, name), join(directory, name));
  await migrateDatabase({ url, directory, log });
  rmSync(directory, { recursive: true });
  const database = openDatabase({
    url,
    maxConnections: 2,
    applicationName: "test",
    log,
    timeLimits: PATIENT,
  });
  return {
    database,
    bringUpToDate: () => migrateDatabase({ url, directory: MIGRATIONS_DIRECTORY, log }),
  };
}
