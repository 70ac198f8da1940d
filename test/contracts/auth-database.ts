import { type Database, openDatabase, Secret } from "@cobs/service-edge";
import { MIGRATIONS_DIRECTORY } from "../../packages/auth/src/migrations-directory.ts";
import { readableLog } from "../support/readable-log.ts";
import { createMigratedTestDatabase, PATIENT } from "../support/test-databases.ts";

/** Two connections to one new database with auth's schema, as two processes would have. */
export async function twoProcesses(): Promise<readonly [Database, Database]> {
  const { log } = readableLog();
  const url = new Secret(await createMigratedTestDatabase(MIGRATIONS_DIRECTORY));
  const open = () =>
    openDatabase({ url, maxConnections: 8, applicationName: "contract", log, timeLimits: PATIENT });
  return [open(), open()];
}
