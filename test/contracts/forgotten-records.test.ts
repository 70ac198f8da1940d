import { parsePsuId } from "@cobs/cobs-model";
import type { Database, Repeat } from "@cobs/service-edge";
import { expect } from "chai";
import { forgetRecords } from "../../packages/auth/src/records/forget-records-postgres.ts";
import { startForgettingRecords } from "../../packages/auth/src/records/start-forgetting-records.ts";
import { lockStanding, writeStanding } from "../../packages/auth/src/signing/signing-standing-postgres.ts";
import { eventually } from "../support/eventually.ts";
import { readableLog } from "../support/readable-log.ts";
import { rejectionOf } from "../support/rejection.ts";
import { twoProcesses } from "./auth-database.ts";
import { storeTpp } from "./stored-tpp.ts";

const DAYS = 1_826;
/** One of before the time of forgetting, one of after it, one that is not over. */
const AGES = { old: DAYS + 0.5, recent: DAYS - 0.5, live: undefined } as const;

describe("Expired and ended records", () => {
  let databases: readonly [Database, Database];
  beforeEach(async () => {
    databases = await twoProcesses();
    await storeTpp(databases[0]);
    for (const [name, days] of Object.entries(AGES)) await leave(name, days);
  });
  afterEach(() => Promise.all(databases.map((database) => database.close())));

  const query = async <Row>(text: string, values: readonly unknown[] = []) =>
    databases[0].run<Row>({ name: "", text, values });

  /** An application with one record of each kind, all of them over for so many days, or not over. */
  async function leave(name: string, days: number | undefined): Promise<void> {
    const over = days === undefined ? null : new Date(Date.now() - days * 86_400_000);
    await query(
      `INSERT INTO application (id, owner, application_type, redirect_uris, client_name, localized_names, scopes,
        secret_hash, deleted_at) VALUES ($1::text, 'PSDCZ-CNB-1', 'web', '{}', 'A', '[]', '{aisp}', '', $2)`,
      [name, over],
    );
    await query(
      `INSERT INTO consent (id, application_id, psu_id, version, organisation_identifier, services, account_ids,
        approval_hash, authenticated_at, given_at, valid_until, ended_at, ended_by, end_reason)
      VALUES ($1::text, $1, $1, 1, 'PSDCZ-CNB-1', '{aisp}', '{a}', sha256(convert_to($1::text, 'UTF8')), now(), now(), now(), $2::timestamptz,
        CASE WHEN $2::timestamptz IS NOT NULL THEN 'psu' END, CASE WHEN $2::timestamptz IS NOT NULL THEN 'psu' END)`,
      [name, over],
    );
    await query("INSERT INTO consent_use VALUES ($1::text, now())", [name]);
    await query(
      `INSERT INTO card_consent (id, psu_id, organisation_identifier, account_id, iban, given_at, ended_at, ended_by,
        end_reason) VALUES ($1::text, $1, 'PSDCZ-CNB-1', 'a', $1, now(), $2::timestamptz,
        CASE WHEN $2::timestamptz IS NOT NULL THEN 'psu' END, CASE WHEN $2::timestamptz IS NOT NULL THEN 'psu' END)`,
      [name, over],
    );
    await query(
      `INSERT INTO signing_request (id, payment_id, sign_id, psu_id, organisation_identifier, application_id,
        return_url, order_text, created_at, expires_at, state, decided_at) VALUES ($1::text, $1, $1, $1, 'PSDCZ-CNB-1', $1, '',
        '{}', now(), now(), CASE WHEN $2::timestamptz IS NULL THEN 'waiting' ELSE 'expired' END, $2::timestamptz)`,
      [name, over],
    );
    const released = [name, over, over && "operator"];
    await query(
      `INSERT INTO psu_block (psu_id, reason, blocked_by, blocked_at, released_at, released_by)
        VALUES ($1::text, 'r', 'o', now(), $2, $3)`,
      released,
    );
    await query(
      `INSERT INTO stop_list_block (kind, key, origin, reason, blocked_by, released_at, released_by)
        VALUES ('organisation', $1::text, 'operator', 'r', 'o', $2, $3)`,
      released,
    );
    await query("INSERT INTO signing_standing (psu_id, codes, codes_since) VALUES ($1::text, $2, $3)", [
      name,
      1,
      over ?? new Date(),
    ]);
  }

  /** PSUs who have left the bank long ago, each with a passkey. */
  async function leaveBlocked(count: number): Promise<void> {
    await query(
      `INSERT INTO psu_block (psu_id, reason, blocked_by, blocked_at)
        SELECT 'left ' || n, 'r', 'o', now() - interval '3000 days' FROM generate_series(1, $1::int) AS n`,
      [count],
    );
    await query(
      `INSERT INTO passkey (id, psu_id, credential_id, public_key, counter, name, added_at)
        SELECT n, 'left ' || n, convert_to(n::text, 'UTF8'), '', 0, 'phone', now() FROM generate_series(1, $1::int) AS n`,
      [count],
    );
  }

  const COLUMNS = {
    application: "id",
    consent: "id",
    consent_use: "consent_id",
    card_consent: "id",
    signing_request: "id",
    psu_block: "psu_id",
    stop_list_block: "key",
  } as const;
  const keptIn = async (table: string, column: string) =>
    (await query<{ name: string }>(`SELECT ${column} AS name FROM ${table} ORDER BY 1`)).map(
      ({ name }) => name,
    );

  for (const [table, column] of Object.entries(COLUMNS))
    it(`are deleted after their time, not before, and not while they are still in force: ${table}`, async () => {
      await forgetRecords(databases[0], DAYS);
      expect(await keptIn(table, column)).to.deep.equal(["live", "recent"]);
    });

  it("are deleted although earlier ones cannot be, which is reported", async () => {
    await query("ALTER TABLE signing_request RENAME TO away");
    try {
      expect(await rejectionOf(forgetRecords(databases[0], DAYS))).to.include({ code: "42P01" });
    } finally {
      await query("ALTER TABLE away RENAME TO signing_request");
    }
    expect(await keptIn("consent", "id")).to.deep.equal(["live", "recent"]);
    expect(await keptIn("psu_block", "psu_id")).to.deep.equal(["live", "recent"]);
  });

  it("are deleted batch by batch without a long pause, though others fail, which is logged now and then", async () => {
    await query(`INSERT INTO psu_block (psu_id, reason, blocked_by, blocked_at, released_at, released_by)
      SELECT 'psu-' || n, 'r', 'o', now(), now() - interval '3000 days', 'o' FROM generate_series(1, 1200) AS n`);
    await query("ALTER TABLE signing_request RENAME TO away");
    const { log, lines } = readableLog();
    const pauses: number[] = [];
    const again: Repeat = (round, fail) => {
      const { signal } = new AbortController();
      const rounds = async () => {
        while (pauses.length < 3) pauses.push(await round(signal).catch(fail));
      };
      const done = rounds();
      return { stop: () => done };
    };
    await startForgettingRecords({ database: databases[0], log, again }, DAYS).stop();
    await query("ALTER TABLE away RENAME TO signing_request");
    expect(pauses).to.deep.equal([250, 250, 60_000]);
    expect(await keptIn("psu_block", "psu_id")).to.deep.equal(["live", "recent"]);
    expect(lines).to.have.length(1);
    for (const { error } of lines) expect(error).to.include({ code: "42P01", name: "error" });
  });

  for (const [what, left] of [
    ["a consent", "consent SET ended_at = NULL, ended_by = NULL, end_reason = NULL"],
    ["an order", "signing_request SET state = 'waiting', decided_at = NULL"],
  ])
    it(`of an application are kept as long as it has ${what} left`, async () => {
      await query(`UPDATE ${left} WHERE id = 'old'`);
      await forgetRecords(databases[0], DAYS);
      expect(await keptIn("application", "id")).to.include("old");
    });

  it("include passkeys of PSUs blocked for that long, and of nobody else", async () => {
    await query(
      `INSERT INTO psu_block (psu_id, reason, blocked_by, blocked_at)
        SELECT psu, 'left the bank', 'o', now() - days * interval '1 day'
        FROM (VALUES ('left', $1::int + 1), ('leaving', $1::int - 1)) AS blocks (psu, days)`,
      [DAYS],
    );
    await query(
      `INSERT INTO psu_block (psu_id, reason, blocked_by, blocked_at, released_at, released_by)
        SELECT 'back', 'mistaken', 'o', now() - days * interval '1 day', now(), 'o' FROM unnest(ARRAY[$1::int + 1]) AS days`,
      [DAYS],
    );
    await query(`INSERT INTO passkey (id, psu_id, credential_id, public_key, counter, name, added_at)
      SELECT psu, psu, convert_to(psu, 'UTF8'), '', 0, 'phone', now() - interval '9000 days'
      FROM unnest(ARRAY['left', 'leaving', 'back', 'old', 'never blocked']) AS psu`);
    await forgetRecords(databases[0], DAYS);
    expect(await keptIn("passkey", "id")).to.deep.equal(["back", "leaving", "never blocked", "old"]);
  });

  it("include standings of PSUs for whom nothing counts any more", async () => {
    await query(
      "UPDATE signing_standing SET failures = 4, changed_at = codes_since WHERE psu_id IN ('old', 'recent')",
    );
    await query(
      `INSERT INTO signing_standing (psu_id, failures, changed_at) SELECT 'passkeys ' || days, 4,
      now() - days * interval '1 day' FROM unnest(ARRAY[$1::integer - 1, $1::integer + 1]) AS days`,
      [DAYS],
    );
    await query(`INSERT INTO signing_standing (psu_id, codes, codes_since, held_off_until)
      SELECT psu, 1, now() - sent * interval '1 hour', now() - held * interval '1 hour' FROM (VALUES
        ('sent', 23, NULL), ('sent long ago', 25, NULL), ('both', 25, 23), ('both long ago', 25, 25)) AS given (psu, sent, held)`);
    await query(`INSERT INTO signing_standing (psu_id, held_off_until)
      VALUES ('held off', now() + interval '1 hour'), ('held off long ago', now() - interval '25 hours')`);
    await forgetRecords(databases[0], DAYS);
    expect(await keptIn("signing_standing", "psu_id")).to.have.members([
      "live",
      "recent",
      "sent",
      "both",
      "held off",
      `passkeys ${DAYS - 1}`,
    ]);
  });

  it("do not include the standing of a PSU who has failed again", async () => {
    const psu = parsePsuId("again");
    await query("INSERT INTO signing_standing (psu_id, failures, changed_at) VALUES ($1, 3, 'epoch')", [psu]);
    await databases[0].transaction(async (queries) => {
      const standing = await lockStanding(queries, psu);
      await writeStanding(queries, psu, { ...standing, failures: 4 });
    });
    await forgetRecords(databases[0], DAYS);
    expect(await keptIn("signing_standing", "psu_id")).to.include(psu);
  });

  it("include checks of the register after a month", async () => {
    await query(`INSERT INTO tpp_register_check (day, finished_at)
      SELECT current_date - days, now() FROM unnest(ARRAY[0, 31, 32]) AS days`);
    await forgetRecords(databases[0], DAYS);
    expect(await keptIn("tpp_register_check", "current_date - day")).to.deep.equal([0, 31]);
  });

  it("are deleted five hundred of a kind at a time, so that no lock lasts", async () => {
    await query(`INSERT INTO consent SELECT (jsonb_populate_record(consent, jsonb_build_object(
        'id', 'old-' || n, 'version', n + 1, 'approval_hash', sha256(convert_to(n::text, 'UTF8'))))).*
      FROM consent, generate_series(1, 500) AS n WHERE id = 'old'`);
    await query(`INSERT INTO stop_list_block (kind, key, origin, reason, blocked_by, released_at, released_by)
      SELECT kind, key, origin, reason, blocked_by, released_at, released_by
      FROM stop_list_block, generate_series(1, 500) WHERE key = 'old'`);
    await leaveBlocked(501);
    expect(await forgetRecords(databases[0], DAYS)).to.equal(true);
    expect(await keptIn("consent", "id")).to.have.length(3);
    expect(await keptIn("stop_list_block", "key")).to.have.length(3);
    expect(await keptIn("passkey", "id")).to.have.length(1);
    expect(await forgetRecords(databases[0], DAYS)).to.equal(false);
    expect(await keptIn("consent", "id")).to.have.length(2);
    expect(await keptIn("passkey", "id")).to.deep.equal([]);
  });

  // Each block is one that nobody releases: there are more of them each year.
  it("are not searched for again where earlier passes have looked", async () => {
    await leaveBlocked(400);
    await forgetRecords(databases[0], DAYS);
    await query(`INSERT INTO passkey (id, psu_id, credential_id, public_key, counter, name, added_at)
      SELECT n, 'here ' || n, convert_to(n::text, 'UTF8'), '', 0, 'phone', now() FROM generate_series(1, 1000) AS n`);
    await query("ANALYZE psu_block, passkey");
    const read = await databases[0].transaction(async (queries) => {
      const say = <Row>(text: string) => queries.run<Row>({ name: "", text, values: [] });
      // Of this connection, which has read some of them before.
      const countRead = async () => {
        const rows = await say<{ rows: bigint }>(`SELECT seq_tup_read + idx_tup_fetch AS rows
          FROM pg_stat_xact_user_tables WHERE relname IN ('passkey', 'psu_block')`);
        return rows.reduce((sum, row) => sum + row.rows, 0n);
      };
      // As when the tables are too large to be read whole.
      await say("SET LOCAL enable_seqscan = off");
      const before = await countRead();
      await forgetRecords({ ...databases[0], ...queries }, DAYS);
      return Number((await countRead()) - before);
    });
    expect(read).to.be.below(10);
  });

  it("are skipped, not waited for, while somebody else holds them", async () => {
    const [ours, theirs] = databases;
    await theirs.transaction(async (queries) => {
      for (const [table, column] of Object.entries({
        consent: "id",
        card_consent: "id",
        psu_block: "psu_id",
      }))
        await queries.run({
          name: "",
          text: `SELECT FROM ${table} WHERE ${column} = 'old' FOR UPDATE`,
          values: [],
        });
      await forgetRecords(ours, DAYS);
    });
    expect(await keptIn("consent", "id")).to.deep.equal(["live", "old", "recent"]);
    expect(await keptIn("card_consent", "id")).to.deep.equal(["live", "old", "recent"]);
    expect(await keptIn("psu_block", "psu_id")).to.deep.equal(["live", "old", "recent"]);
    expect(await keptIn("stop_list_block", "key"), "what nobody holds").to.deep.equal(["live", "recent"]);
  });

  it("are deleted by any number of processes at once, in batches, by themselves", async () => {
    await query(`INSERT INTO psu_block (psu_id, reason, blocked_by, blocked_at, released_at, released_by)
      SELECT 'psu-' || n, 'r', 'o', now(), now() - interval '3000 days', 'o' FROM generate_series(1, 1200) AS n`);
    const { log, lines } = readableLog();
    const jobs = databases.map((database) => startForgettingRecords({ database, log }, DAYS));
    await eventually(async () => (await keptIn("psu_block", "psu_id")).length === 2, 30_000);
    await Promise.all(jobs.map((job) => job.stop()));
    expect(lines).to.deep.equal([]);
  });
});
