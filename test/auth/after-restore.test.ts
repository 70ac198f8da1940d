import { PassThrough } from "node:stream";
import { MIGRATIONS_DIRECTORY as MIGRATIONS_OF_RESOURCE } from "@cobs/resource";
import type { Environment } from "@cobs/service-edge";
import { expect } from "chai";
import pg from "pg";
import { runAfterRestore } from "../../packages/auth/src/after-restore/run-after-restore.ts";
import { MIGRATIONS_DIRECTORY as MIGRATIONS_OF_AUTH } from "../../packages/auth/src/migrations-directory.ts";
import { eventually } from "../support/eventually.ts";
import { createMigratedTestDatabase, createTestDatabase } from "../support/test-databases.ts";

const SAID = ["--by", "an operator", "--reason", "a test"];

describe("The after-restore program", () => {
  async function run(DATABASE_URL: string, others: Environment = {}) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const program = { environment: { DATABASE_URL, ...others }, commandLine: SAID, stdout, stderr };
    const exitCode = await runAfterRestore(program);
    return {
      exitCode,
      stdout: String(stdout.read(stdout.readableLength) ?? ""),
      stderr: String(stderr.read(stderr.readableLength) ?? ""),
    };
  }
  const told = async (...commandLine: string[]) => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const exitCode = await runAfterRestore({ environment: {}, commandLine, stdout, stderr });
    return {
      exitCode,
      stdout: String(stdout.read(stdout.readableLength) ?? ""),
      stderr: String(stderr.read(stderr.readableLength) ?? ""),
    };
  };
  const oneLine = (why: string) => `auth:after-restore failed: ${why}\n`;

  it("says within seconds that the database does not answer", async () => {
    const { exitCode, stderr } = await run("postgresql://nobody@127.0.0.1:1/nothing");
    expect([exitCode, stderr]).to.deep.equal([1, oneLine("connect ECONNREFUSED 127.0.0.1:1")]);
  });

  it("says at once that the database does not know the role", async () => {
    const url = new URL(await createTestDatabase());
    url.username = "somebody_else";
    const { exitCode, stderr } = await run(url.href);
    expect([exitCode, stderr]).to.deep.equal([1, oneLine('role "somebody_else" does not exist')]);
  });

  it("reports a missing right of the database role as a fault of the configuration", async () => {
    const url = await createMigratedTestDatabase(MIGRATIONS_OF_AUTH);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("DELETE FROM schema_migration WHERE name = (SELECT max(name) FROM schema_migration)");
    await client.query("REVOKE CREATE ON SCHEMA public FROM pg_database_owner");
    await client.end();
    const { exitCode, stdout, stderr } = await run(url);
    expect([exitCode, stdout]).to.deep.equal([78, ""]);
    expect(stderr).to.match(/^auth:after-restore failed: the role of the database URL may not .+\n$/);
  });

  it("says that the database takes no writes, for example while its recovery is paused", async () => {
    const url = await createMigratedTestDatabase(MIGRATIONS_OF_AUTH);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { role, name } = { role: new URL(url).username, name: new URL(url).pathname.slice(1) };
    await client.query(`ALTER ROLE "${role}" IN DATABASE "${name}" SET default_transaction_read_only = on`);
    await client.end();
    const { exitCode, stdout, stderr } = await run(url);
    expect([exitCode, stdout]).to.deep.equal([1, ""]);
    expect(stderr).to.match(/^auth:after-restore failed: the database accepts no writes: .*recovery.*\n$/);
  });

  it("allows each statement one minute, because nothing of the restored data has been read yet", async () => {
    const url = await createMigratedTestDatabase(MIGRATIONS_OF_AUTH);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`CREATE FUNCTION tell_limit() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE 'after %', current_setting('statement_timeout'); END $$;
      CREATE TRIGGER tell_limit BEFORE UPDATE ON ephemeral_epoch EXECUTE FUNCTION tell_limit()`);
    await client.end();
    const { exitCode, stderr } = await run(url);
    expect([exitCode, stderr]).to.deep.equal([1, oneLine("after 1min")]);
  });

  it("waits for a parallel run and then ends all sessions itself, because the other run may be killed", async () => {
    const url = await createMigratedTestDatabase(MIGRATIONS_OF_AUTH);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`INSERT INTO ephemeral_record (kind, id_hash, payload, expires_at)
      SELECT 'Session', sha256(n::text::bytea), '{}', now() + n * interval '1 min' FROM generate_series(1, 600) AS n`);
    // As the other run does with its first batch.
    await client.query("BEGIN");
    await client.query("DELETE FROM ephemeral_record WHERE expires_at <= now() + interval '500 min'");
    const ended = run(url);
    const waits = "SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))";
    await eventually(async () => (await client.query(waits)).rowCount === 1);
    await client.query("COMMIT");
    expect(await ended).to.include({ exitCode: 0, stderr: "" });
    expect((await client.query("SELECT FROM ephemeral_record")).rowCount).to.equal(0);
    await client.end();
  });

  it("uses DATABASE_DIRECT_URL instead of the pooler, because the schema is changed under a session lock", async () => {
    const pooler = "postgresql://nobody@127.0.0.1:1/nothing";
    const DATABASE_DIRECT_URL = await createMigratedTestDatabase(MIGRATIONS_OF_AUTH);
    expect(await run(pooler, { DATABASE_DIRECT_URL })).to.include({ exitCode: 0, stderr: "" });
    const { exitCode, stderr } = await run(pooler, { DATABASE_DIRECT_URL: "mysql://auth:secret@db/auth" });
    expect(exitCode).to.equal(78);
    expect(stderr).to.include("DATABASE_DIRECT_URL: must be postgresql://").and.not.include("secret");
  });

  it("refuses the database of the other service", async () => {
    const { exitCode, stderr } = await run(await createMigratedTestDatabase(MIGRATIONS_OF_RESOURCE));
    expect(exitCode).to.equal(78);
    expect(stderr).to.match(/^auth:after-restore failed: the database belongs to another service.+\n$/);
  });

  it("refuses an empty database and creates no tables in it, because a failed restore leaves none", async () => {
    const url = await createTestDatabase();
    const { exitCode, stdout, stderr } = await run(url);
    expect([exitCode, stdout]).to.deep.equal([78, ""]);
    expect(stderr).to.equal(oneLine("no migration has ever run in the database. Nothing was changed in it"));
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const tables = await client.query("SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace");
    await client.end();
    expect(tables.rowCount).to.equal(0);
  });

  for (const application_name of ["auth", "auth event feed"])
    it(`ends nothing while a connection named ${application_name} shows that auth runs on the database`, async () => {
      const url = await createMigratedTestDatabase(MIGRATIONS_OF_AUTH);
      const client = new pg.Client({ connectionString: url, application_name });
      await client.connect();
      const epoch = async () => (await client.query("SELECT epoch FROM ephemeral_epoch")).rows;
      const before = await epoch();
      const why =
        "auth is running on this database, or a pooler keeps its connections open (1): stop it first. Nothing was ended";
      expect(await run(url)).to.deep.equal({ exitCode: 1, stdout: "", stderr: oneLine(why) });
      expect(await epoch()).to.deep.equal(before);
      await client.end();
    });

  it("ignores connections of auth to another database of the same server", async () => {
    const others = new pg.Client({ connectionString: await createTestDatabase(), application_name: "auth" });
    await others.connect();
    try {
      const url = await createMigratedTestDatabase(MIGRATIONS_OF_AUTH);
      expect(await run(url)).to.include({ exitCode: 0, stderr: "" });
    } finally {
      await others.end();
    }
  });

  it("refuses a URL that sets application_name, because auth is recognised by that name", async () => {
    const url = `${await createMigratedTestDatabase(MIGRATIONS_OF_AUTH)}?application_name=bank-auth-1`;
    const { exitCode, stderr } = await run(url);
    expect(exitCode).to.equal(78);
    const why = "must not set application_name: the service has a name of its own";
    expect(stderr).to.include(`DATABASE_URL: ${why}`);
  });

  it("says what a database URL must look like, without repeating the wrong one", async () => {
    const { exitCode, stderr } = await run("mysql://auth:secret@db/auth");
    expect(exitCode).to.equal(78);
    expect(stderr).to.include("DATABASE_URL: must be postgresql://").and.not.include("secret");
  });

  it("prints its usage with --help", async () => {
    const { exitCode, stdout, stderr } = await told("--help");
    expect([exitCode, stderr]).to.deep.equal([0, ""]);
    expect(stdout)
      .to.match(/^Usage: npm run auth:after-restore --/)
      .and.to.include("DATABASE_URL")
      .and.to.include("DATABASE_DIRECT_URL");
  });

  for (const [words, said] of [
    [["--by", "an operator"], "required option '--reason <text>' not specified"],
    [[...SAID, "--dry-run"], "unknown option '--dry-run'"],
    [[...SAID, "--by=another"], "--by may be given only once"],
    [
      ["--by", "me", "--reason", "--by"],
      "--reason has no value before --by; for a value that begins with -, write --reason=…",
    ],
    [
      ["--by", "", "--reason", "a backup"],
      "option '--by <name>' argument '' is invalid. It must be 1 to 500 printable characters.",
    ],
    [
      ["--by", "me", "--reason", "a backup\u0007"],
      "option '--reason <text>' argument 'a backup\u0007' is invalid. It must be 1 to 500 printable characters.",
    ],
  ] as const)
    it(`refuses the arguments ${words.join(" ")}`, async () => {
      expect(await told(...words)).to.deep.equal({
        exitCode: 2,
        stdout: "",
        stderr: `error: ${said}\nSee --help.\n`,
      });
    });
});
