import { cpSync } from "node:fs";
import { join } from "node:path";
import { MIGRATIONS_DIRECTORY } from "@cobs/auth";
import { migrateDatabase, Secret } from "@cobs/service-edge";
import { createTestDatabase } from "../support/test-databases.ts";
import { readableLog, temporaryFolder } from "../support/test-listener.ts";

describe("the migrations of a service", () => {
  it("bring a database up to date that has the sandbox's tables, whose numbers are higher, already", async () => {
    const folder = temporaryFolder();
    try {
      const { log } = readableLog();
      const url = new Secret(await createTestDatabase());
      const isOfFirstVersion = (path: string) => !/00(0[4-9]|[1-4][0-9]|5[1-9]|[6-9][0-9])_/.test(path);
      const directory = join(folder.path, "migrations");
      cpSync(MIGRATIONS_DIRECTORY, directory, { recursive: true, filter: isOfFirstVersion });
      await migrateDatabase({ url, directory, log });
      await migrateDatabase({ url, directory: MIGRATIONS_DIRECTORY, log });
    } finally {
      folder.remove();
    }
  });
});
