import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { type Database, isDatabaseUnavailable, openDatabase, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { runAfterRestore } from "../../packages/auth/src/after-restore/run-after-restore.ts";
import type { ChainPoint } from "../../packages/auth/src/audit/audit-chain.ts";
import { checkAudit } from "../../packages/auth/src/audit/check-audit-postgres.ts";
import { readChain } from "../../packages/auth/src/audit/read-chain-postgres.ts";
import { sealBatch } from "../../packages/auth/src/audit/seal-audit-postgres.ts";
import { createConsentStore } from "../../packages/auth/src/consent/consent-postgres.ts";
import { createFeed } from "../../packages/auth/src/feed/feed-postgres.ts";
import { MIGRATIONS_DIRECTORY } from "../../packages/auth/src/migrations-directory.ts";
import { PSU } from "../contracts/sample-consent.ts";
import { OWNER, storeTpp } from "../contracts/stored-tpp.ts";
import { psuAct } from "../contracts/test-acts.ts";
import { readableLog } from "../support/readable-log.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import {
  createMigratedTestDatabase,
  createTestDatabase,
  PATIENT,
  runAsOperatorOfDatabases,
} from "../support/test-databases.ts";
import { giveConsent } from "./given-consent.ts";

const BIN = "/usr/lib/postgresql/15/bin";

describe("auth after a restore from a backup", function restore() {
  this.timeout(300_000);
  const folder = makeTemporaryFolder("cobs-restore-");
  const opened: Database[] = [];
  let restored: Database;
  let restoredUrl: string;
  let epochBefore: unknown;
  let [headOfCopy, headSinceCopy]: ChainPoint[] = [];
  let cursor: { readonly position: number; readonly mark: string | undefined };

  const open = (url: string) => {
    const { log } = readableLog();
    const database = openDatabase({
      url: new Secret(url),
      maxConnections: 4,
      applicationName: "test",
      log,
      timeLimits: PATIENT,
    });
    opened.push(database);
    return database;
  };
  const query = <Row>(database: Database, text: string, values: readonly unknown[] = []) =>
    database.run<Row>({ name: "", text, values });

  before(async () => {
    const url = await createMigratedTestDatabase(MIGRATIONS_DIRECTORY);
    const database = open(url);
    await storeTpp(database);
    const revoked = await giveConsent(database, ["aisp"]);
    await giveConsent(database, ["aisp", "pisp"]);
    await query(
      database,
      `INSERT INTO card_consent (id, psu_id, organisation_identifier, account_id, iban, given_at)
        VALUES ('card', 'psu', $1, 'a', 'CZ', now())`,
      [OWNER],
    );
    await query(
      database,
      `INSERT INTO ephemeral_record (kind, id_hash, payload, expires_at) VALUES ('Session', '\\x01', '{}', now() + interval '1 h')`,
    );
    await sealBatch(database);
    ({ head: headOfCopy } = await readChain(database));
    // One that only a superuser may make.
    const role = new URL(url).username;
    await runAsOperatorOfDatabases([`ALTER ROLE ${role} SUPERUSER`]);
    await query(database, "CREATE EXTENSION pageinspect");
    await runAsOperatorOfDatabases([`ALTER ROLE ${role} NOSUPERUSER`]);
    const dump = join(folder, "auth.dump");
    execFileSync(join(BIN, "pg_dump"), ["--format=custom", "--extension=plpgsql", "--file", dump, url]);
    // After the backup a consent is revoked, which its readers hear of; then the database is lost.
    await createConsentStore(database).end(revoked, { by: "psu", reason: "withdrawn", act: psuAct(PSU) });
    const [event] =
      (await createFeed(database).readAfter({ position: 0, mark: undefined }))?.events.slice(-1) ?? [];
    cursor = { position: event?.position ?? -1, mark: event?.mark };
    await sealBatch(database);
    ({ head: headSinceCopy } = await readChain(database));
    restoredUrl = await createTestDatabase();
    execFileSync(join(BIN, "pg_restore"), [
      "--no-owner",
      "--no-privileges",
      "--single-transaction",
      "--dbname",
      restoredUrl,
      dump,
    ]);
    // As behind PgBouncer, but so small that ANALYZE never keeps it.
    const owner = new URL(restoredUrl).username;
    await runAsOperatorOfDatabases([`ALTER ROLE ${owner} SET statement_timeout = '20ms'`]);
    try {
      const commands = ["SET statement_timeout = 0", "ANALYZE"].flatMap((each) => ["--command", each]);
      execFileSync(join(BIN, "psql"), ["--set", "ON_ERROR_STOP=1", restoredUrl, ...commands], {
        stdio: "pipe",
      });
    } finally {
      await runAsOperatorOfDatabases([`ALTER ROLE ${owner} RESET statement_timeout`]);
    }
    restored = open(restoredUrl);
    [epochBefore] = await query(restored, "SELECT epoch FROM ephemeral_epoch");
  });
  after(async () => {
    await Promise.all(opened.map((database) => database.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  const countOf = async (what: string) =>
    Number((await query<{ count: bigint }>(restored, `SELECT count(*) FROM ${what}`))[0]?.count);
  async function run(...commandLine: string[]) {
    const stdout = new PassThrough();
    const program = {
      environment: { DATABASE_URL: restoredUrl },
      commandLine,
      stdout,
      stderr: new PassThrough(),
    };
    const exitCode = await runAfterRestore(program);
    return { exitCode, stdout: String(stdout.read(stdout.readableLength) ?? "") };
  }

  it("has at first revived what was revoked after the backup", async () => {
    expect(await countOf("consent WHERE ended_at IS NULL")).to.equal(2);
    expect(await countOf("token")).to.equal(6);
  });

  it("is not changed by the operator's command without both a name and a reason", async () => {
    expect((await run("--by", "an operator")).exitCode).to.equal(2);
    expect(await countOf("consent WHERE ended_at IS NULL")).to.equal(2);
  });

  it("has consents, codes, tokens, card consents, sessions and the epoch ended by the operator's command", async () => {
    const { exitCode, stdout } = await run("--by", "an operator", "--reason", "backup of last night");
    expect(exitCode).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.equal({ consents: 2, cardConsents: 1 });
    expect(await countOf("consent WHERE ended_at IS NULL")).to.equal(0);
    expect(await countOf("token")).to.equal(0);
    expect(await countOf("card_consent WHERE ended_at IS NULL")).to.equal(0);
    expect(await countOf("ephemeral_record")).to.equal(0);
    expect(await query(restored, "SELECT epoch FROM ephemeral_epoch")).not.to.deep.equal([epochBefore]);
  });

  it("records each ending, with who ordered it and why, in an unbroken audit chain", async () => {
    const entries = await query<{ action: string; actor: string; details: string }>(
      restored,
      "SELECT action, actor, details FROM audit_entry WHERE actor_kind = 'operator' ORDER BY id",
    );
    expect(entries.map(({ action }) => action)).to.have.members([
      "redis.epoch_ended",
      "consent.ended",
      "consent.ended",
      "card_consent.ended",
    ]);
    for (const { actor, details } of entries) {
      expect(actor).to.equal("an operator");
      expect(details).to.contain("backup of last night");
    }
    await sealBatch(restored);
    expect((await checkAudit(restored)).broken).to.equal(undefined);
  });

  it("has an audit chain that continues that of the backup, not what was exported since", async () => {
    expect((await checkAudit(restored, headOfCopy)).broken).to.equal(undefined);
    const sequence = headSinceCopy?.sequence;
    expect(sequence).to.be.greaterThan(headOfCopy?.sequence ?? Number.NaN);
    const { broken } = await checkAudit(restored, headSinceCopy);
    expect(broken).to.deep.equal({ sequence, fault: "rewritten" });
  });

  it("refuses the positions that feed readers had before, so that they forget everything", async () => {
    const feed = createFeed(restored);
    expect(await feed.head()).to.be.greaterThan(cursor.position - 1);
    expect(await feed.readAfter(cursor)).to.equal(undefined);
  });

  it("is not changed when the command is run again", async () => {
    const { stdout } = await run("--by", "an operator", "--reason", "again");
    expect(JSON.parse(stdout)).to.deep.equal({ consents: 0, cardConsents: 0 });
  });

  it("needs the former database closed to connections, as NOLOGIN leaves open ones working", async () => {
    const url = await createTestDatabase();
    const forgotten = open(url);
    const { username, pathname } = new URL(url);
    const name = pathname.slice(1);
    await query(forgotten, "CREATE TABLE changed (at timestamptz)");
    const change = () => query(forgotten, "INSERT INTO changed VALUES (now())");
    await runAsOperatorOfDatabases([`ALTER ROLE ${username} NOLOGIN`]);
    try {
      await change();
    } finally {
      await runAsOperatorOfDatabases([`ALTER ROLE ${username} LOGIN`]);
    }
    await runAsOperatorOfDatabases([
      `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    ]);
    const refusal = await change().catch((error: unknown) => error);
    expect(isDatabaseUnavailable(refusal)).to.equal(true);
    await runAsOperatorOfDatabases([`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`]);
    await change();
  });
});
