import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MIGRATIONS_DIRECTORY } from "@cobs/resource";
import { type Database, migrateDatabase, openDatabase, Secret } from "@cobs/service-edge";
import { startEmbeddedPostgres } from "../../../packages/sandbox/src/postgres/start-embedded-postgres.ts";
import { readableLog } from "../../support/test-listener.ts";

/** A migrated database of the resource server. */
export async function openMigratedDatabase(): Promise<Database> {
  const directory = mkdtempSync(join(tmpdir(), "cobs-"));
  const server = await startEmbeddedPostgres({ directory: join(directory, "pg"), durability: "none" });
  const url = new Secret(server.superuserUrl("postgres"));
  const { log } = readableLog();
  await migrateDatabase({ url, directory: MIGRATIONS_DIRECTORY, log });
  const database = openDatabase({ url, maxConnections: 8, applicationName: "test", log });
  return {
    ...database,
    close: async () => {
      await database.close();
      await server.stop();
      rmSync(directory, { recursive: true });
    },
  };
}
