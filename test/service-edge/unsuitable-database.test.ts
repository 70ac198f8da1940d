import { MIGRATIONS_DIRECTORY as MIGRATIONS_OF_AUTH } from "@cobs/auth";
import { MIGRATIONS_DIRECTORY as MIGRATIONS_OF_RESOURCE } from "@cobs/resource";
import { DatabaseUnsuitable, migrateDatabase, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import pg from "pg";
import { createDatabaseHosts } from "../../packages/service-edge/src/database/database-hosts.ts";
import { readableLog } from "../support/readable-log.ts";
import { rejectionOf } from "../support/rejection.ts";
import {
  createLatinTestDatabase,
  createMigratedTestDatabase,
  createTestDatabase,
} from "../support/test-databases.ts";

/** What is in the schema, and which migrations it has had. */
const CONTENT = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1";

async function query(url: string, text: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe("Database at the start of a service", () => {
  const migrate = (url: string, directory = MIGRATIONS_OF_AUTH) =>
    migrateDatabase({ url: new Secret(url), directory, log: readableLog().log });

  async function expectRefused(url: string, code: string, words: string, directory?: string): Promise<void> {
    const error = await rejectionOf(migrate(url, directory));
    expect(error).to.be.instanceOf(DatabaseUnsuitable).with.property("code", code);
    expect(error).to.have.property("message").that.includes(words).and.not.match(/\n/);
  }

  for (const [of, theirs, ours] of [
    ["resource", MIGRATIONS_OF_RESOURCE, MIGRATIONS_OF_AUTH],
    ["auth", MIGRATIONS_OF_AUTH, MIGRATIONS_OF_RESOURCE],
  ] as const)
    it(`is refused and left unchanged when it is that of ${of}`, async () => {
      const url = await createMigratedTestDatabase(theirs);
      const before = [await query(url, CONTENT), await query(url, "SELECT name FROM schema_migration")];
      await expectRefused(url, "of_another_service", "the database belongs to another service", ours);
      const after = [await query(url, CONTENT), await query(url, "SELECT name FROM schema_migration")];
      expect(after).to.deep.equal(before);
    });

  it("is refused when its encoding cannot hold every name", async () => {
    const url = await createLatinTestDatabase();
    await expectRefused(url, "not_utf8", "the encoding of the database is LATIN2, but must be UTF8");
    expect(await query(url, CONTENT)).to.deep.equal([]);
  });

  for (const [setting, value] of [
    ["DateStyle", "German, DMY"],
    ["default_transaction_isolation", "repeatable read"],
    ["search_path", "elsewhere"],
    ["search_path", "republic"],
    ["synchronous_commit", "off"],
    ["array_nulls", "off"],
    ["extra_float_digits", "-15"],
  ] as const)
    it(`is refused when ${setting} is changed for us, whoever changed it`, async () => {
      const url = await createTestDatabase();
      await query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${setting} = '${value}'`);
      await expectRefused(url, "other_settings", `${setting} is ${value} for this role, but must be`);
      expect(await query(url, CONTENT)).to.deep.equal([]);
    });

  // From PostgreSQL 18 on, which is so told: there the abbreviations of the session's time zone come first.
  it("is refused when a time zone called UTC is another", async () => {
    const url = await createTestDatabase();
    const told = await query(url, "SELECT WHERE current_setting('server_version_num')::int >= 180000");
    await query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET TimeZone = 'UTC+1'`);
    if (told.length > 0) {
      await expectRefused(url, "other_settings", "TimeZone is UTC+1 for this role, but must be UTC");
      expect(await query(url, CONTENT)).to.deep.equal([]);
    } else await migrate(url);
  });

  for (const zone of ["Europe/Prague", "Etc/GMT+5", "America/New_York"])
    it(`is not refused for the time zone ${zone}`, async () => {
      const url = await createTestDatabase();
      await query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET TimeZone = '${zone}'`);
      await migrate(url);
    });

  it("is refused when tables would go to the role's own schema, where other roles do not look", async () => {
    const url = await createTestDatabase();
    await query(url, `CREATE SCHEMA ${new URL(url).username}`);
    await expectRefused(
      url,
      "other_settings",
      `search_path is "$user", public for this role, but must be public`,
    );
    expect(await query(url, CONTENT)).to.deep.equal([]);
  });

  describe("behind a pooler", () => {
    const behind = (pooledUrl: string, url: string) =>
      migrateDatabase({
        url: new Secret(url),
        pooled: createDatabaseHosts(new Secret(pooledUrl)),
        directory: MIGRATIONS_OF_AUTH,
        log: readableLog().log,
      });

    it("is refused when it is not the one reached directly", async () => {
      const [url, other] = [await createTestDatabase(), await createTestDatabase()];
      expect(await rejectionOf(behind(other, url)))
        .to.be.instanceOf(DatabaseUnsuitable)
        .with.property("message", "DATABASE_URL and DATABASE_DIRECT_URL lead to different databases");
      expect(await query(url, CONTENT)).to.deep.equal([]);
      await behind(url, url);
      expect(await query(url, CONTENT)).not.to.deep.equal([]);
    });

    it("is refused when a setting differs for the role of calls", async () => {
      const url = await createMigratedTestDatabase(MIGRATIONS_OF_AUTH);
      expect(await rejectionOf(behind(`${url}?options=-c%20synchronous_commit%3Doff`, url)))
        .to.be.instanceOf(DatabaseUnsuitable)
        .with.property("code", "other_settings");
    });
  });

  it("is refused when its role may not create tables", async () => {
    const url = await createTestDatabase();
    await query(url, "REVOKE CREATE ON SCHEMA public FROM pg_database_owner");
    await expectRefused(url, "role_without_rights", "have CREATE and USAGE on the schema public");
    await query(url, "REVOKE USAGE ON SCHEMA public FROM PUBLIC, pg_database_owner");
    await expectRefused(url, "role_without_rights", "have CREATE and USAGE on the schema public");
  });

  it("is refused when its tables belong to another role", async () => {
    const url = await createTestDatabase();
    await query(url, "CREATE TABLE schema_migration (id serial, name varchar(255), run_on timestamp)");
    await query(url, "REVOKE ALL ON schema_migration FROM CURRENT_USER");
    await expectRefused(url, "role_without_rights", "the role of the database URL may not change the schema");
  });
});
