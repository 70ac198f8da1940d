import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { Client } from "pg";
import { MIGRATIONS_DIRECTORY as OF_AUTH } from "../../../packages/auth/src/migrations-directory.ts";
import { MIGRATIONS_DIRECTORY as OF_RESOURCE } from "../../../packages/resource/src/migrations-directory.ts";
import { RETENTION } from "../../../scripts/operations/retention.ts";
import { createMigratedTestDatabase } from "../../support/test-databases.ts";

const SERVICES = { auth: OF_AUTH, resource: OF_RESOURCE };
/** The table in which the migrations are kept, and nothing of ours. */
const OF_MIGRATIONS = "schema_migration";
const TABLES = `SELECT table_name FROM information_schema.tables
  WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'`;

function sourcesOf(service: string): string {
  const folder = join("packages", service, "src");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("\n");
}

for (const [service, directory] of Object.entries(SERVICES))
  describe(`the table of what is kept by ${service}`, () => {
    const rows = RETENTION.filter((row) => row.service === service);

    it("names every table of its schema, and no other", async () => {
      const client = new Client({ connectionString: await createMigratedTestDatabase(directory) });
      await client.connect();
      const { rows: tables } = await client.query<{ table_name: string }>(TABLES);
      await client.end();
      const names = tables.map(({ table_name }) => table_name).filter((name) => name !== OF_MIGRATIONS);
      expect(rows.map(({ table }) => table)).to.have.members(names);
    });

    it("names for each its owner, and a job of the code that deletes from it", () => {
      const sources = sourcesOf(service);
      for (const { table, owner, job } of rows) {
        if (!owner.startsWith("("))
          expect(existsSync(join("packages", service, "src", owner)), `${table}: ${owner}`).to.equal(true);
        if (job === "none") continue;
        expect(sources, `${table}: ${job}`).to.contain(`countJob("${job}")`.replace("countJob", ""));
        const isDeleted = new RegExp(
          `DELETE FROM ${table}\\b|(clean|forget)\\("${table}"|UPDATE ${table}\\b`,
        );
        expect(sources, table).to.match(isDeleted);
      }
    });
  });
