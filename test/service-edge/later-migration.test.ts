import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MIGRATIONS_DIRECTORY } from "@cobs/auth";
import { migrateDatabase, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import pg from "pg";
import { eventually } from "../support/eventually.ts";
import { readableLog } from "../support/readable-log.ts";
import { rejectionOf } from "../support/rejection.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase } from "../support/test-databases.ts";

const DIVISION_BY_ZERO = "22012";

describe("Migrations of a service", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let directory: string;
  let url: Secret;
  let client: pg.Client;
  beforeEach(async () => {
    folder = temporaryFolder();
    directory = join(folder.path, "migrations");
    url = new Secret(await createTestDatabase());
    client = new pg.Client({ connectionString: url.reveal() });
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    folder.remove();
  });

  const migrate = (from = directory) => migrateDatabase({ url, directory: from, log: readableLog().log });
  function write(name: string, sql: string): void {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, `${name}.sql`), `-- Up Migration\n${sql}\n`);
  }
  async function tables(): Promise<readonly string[]> {
    const text = "SELECT relname FROM pg_class WHERE relname LIKE 'made_%' AND relkind = 'r' ORDER BY 1";
    return (await client.query<{ relname: string }>(text)).rows.map(({ relname }) => relname);
  }

  it("bring a database up to date that already has the sandbox's tables with higher numbers", async () => {
    const isOfFirstVersion = (path: string) => !/\d{4}_/.test(path) || /(?:000[1-3]|0050)_/.test(path);
    cpSync(MIGRATIONS_DIRECTORY, directory, { recursive: true, filter: isOfFirstVersion });
    await migrate();
    await migrate(MIGRATIONS_DIRECTORY);
  });

  it("leave a new database as it was when one fails", async () => {
    write("0001_first", "CREATE TABLE made_first ();");
    write("0002_second", "CREATE TABLE made_second (); SELECT 1 / 0;");
    expect(await rejectionOf(migrate())).to.have.property("code", DIVISION_BY_ZERO);
    expect(await tables()).to.deep.equal([]);
  });

  it("say what is wrong with a read-only database, but only when one has to run", async () => {
    write("0001_first", "CREATE TABLE made_first ();");
    const name = new URL(url.reveal()).pathname.slice(1);
    const setReadOnly = (value: string) =>
      client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
    await setReadOnly("on");
    const error = await rejectionOf(migrate());
    expect(error)
      .to.have.property("message")
      .that.matches(/^the database is read-only .+ the primary/);
    await setReadOnly("off");
    await migrate();
    await setReadOnly("on");
    await migrate();
  });

  it("keep those before a failed one in a database in use, and continue from there later", async () => {
    write("0001_first", "CREATE TABLE made_first ();");
    await migrate();
    write("0002_second", "CREATE TABLE made_second ();");
    write("0003_third", "CREATE TABLE made_third (); SELECT 1 / 0;");
    expect(await rejectionOf(migrate())).to.have.property("code", DIVISION_BY_ZERO);
    expect(await tables()).to.deep.equal(["made_first", "made_second"]);
    write("0003_third", "CREATE TABLE made_third ();");
    await migrate();
    expect(await tables()).to.deep.equal(["made_first", "made_second", "made_third"]);
  });

  it("run as long as they need, whatever time limits the role or database has, as behind PgBouncer", async () => {
    const name = new URL(url.reveal()).pathname.slice(1);
    for (const limit of ["statement_timeout", "idle_in_transaction_session_timeout", "lock_timeout"])
      await client.query(`ALTER DATABASE ${name} SET ${limit} = '100ms'`);
    write("0001_first", "CREATE TABLE made_first (); SELECT pg_sleep(0.2);");
    await Promise.all([migrate(), migrate()]);
    expect(await tables()).to.deep.equal(["made_first"]);
  });

  it("are undone by PostgreSQL after a minute of silence, as from a machine that has gone", async () => {
    const limits = ["idle_in_transaction_session_timeout", "idle_session_timeout"];
    const shown = limits.map((limit) => `current_setting('${limit}') AS ${limit}`).join();
    write("0001_first", `CREATE TABLE made_first AS SELECT ${shown};`);
    await migrate();
    const { rows } = await client.query("SELECT * FROM made_first");
    expect(rows).to.deep.equal([
      { idle_in_transaction_session_timeout: "1min", idle_session_timeout: "1min" },
    ]);
  });

  it("hold no lock of an earlier one while waiting, so that they cannot deadlock with a service", async () => {
    write("0001_tables", "CREATE TABLE made_first (); CREATE TABLE made_second ();");
    await migrate();
    write("0002_first", "ALTER TABLE made_first ADD COLUMN added text;");
    write("0003_second", "ALTER TABLE made_second ADD COLUMN added text;");
    await client.query("BEGIN");
    await client.query("LOCK TABLE made_second IN ROW EXCLUSIVE MODE");
    const migrated = migrate();
    const waits = "SELECT FROM pg_locks WHERE relation = 'made_second'::regclass AND NOT granted";
    await eventually(async () => (await client.query(waits)).rowCount === 1);
    await client.query("INSERT INTO made_first (added) VALUES ('by a service')");
    await client.query("COMMIT");
    await migrated;
  });

  it("go on after PostgreSQL has undone one in a deadlock with a service", async () => {
    write("0001_table", "CREATE TABLE made_first ();");
    await migrate();
    write(
      "0002_undone",
      `DO $$ BEGIN
        IF NOT EXISTS (SELECT FROM made_first) THEN RAISE EXCEPTION USING ERRCODE = 'deadlock_detected'; END IF;
      END $$;`,
    );
    const { log, lines } = readableLog();
    const migrated = migrateDatabase({ url, directory, log });
    await Promise.race([
      migrated,
      eventually(() =>
        lines.some(({ msg }) => msg === "the schema is locked by somebody else; trying again"),
      ),
    ]);
    await client.query("INSERT INTO made_first DEFAULT VALUES");
    await migrated;
  });

  it("block nobody while a table is held, as by a backup, and go on when it is free", async () => {
    write("0001_table", "CREATE TABLE made_first ();");
    await migrate();
    write("0002_column", "ALTER TABLE made_first ADD COLUMN added text;");
    await client.query("BEGIN");
    await client.query("LOCK TABLE made_first IN ACCESS SHARE MODE");
    const migrated = migrate();
    const waits = "SELECT FROM pg_locks WHERE relation = 'made_first'::regclass AND NOT granted";
    await eventually(async () => (await client.query(waits)).rowCount === 1);
    const service = new pg.Client({ connectionString: url.reveal(), statement_timeout: 2_500 });
    await service.connect();
    await service.query("INSERT INTO made_first DEFAULT VALUES");
    await service.end();
    await client.query("COMMIT");
    await migrated;
    expect((await client.query("SELECT added FROM made_first")).rowCount).to.equal(1);
  });
});
