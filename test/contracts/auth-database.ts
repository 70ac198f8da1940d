import { type Database, migrateDatabase, openDatabase, Secret } from "@cobs/service-edge";
import { MIGRATIONS_DIRECTORY } from "../../packages/auth/src/migrations-directory.ts";
import { createTestDatabase, PATIENT } from "../support/test-databases.ts";
import { readableLog } from "../support/test-listener.ts";

/** Two connections to one new database with auth's schema, as two processes would have. */
export async function twoProcesses(): Promise<readonly [Database, Database]> {
  const { log } = readableLog();
  const url = new Secret(await createTestDatabase());
  await migrateDatabase({ url, directory: MIGRATIONS_DIRECTORY, log });
  const open = () =>
    openDatabase({ url, maxConnections: 8, applicationName: "contract", log, timeLimits: PATIENT });
  return [open(), open()];
}
