import { setTimeout as delay } from "node:timers/promises";
import {
  type Database,
  type DatabaseTimeLimits,
  inOneJson,
  isDatabaseUnavailable,
  openDatabase,
  RedisUnavailable,
  Secret,
  whenDatabaseAnswers,
} from "@cobs/service-edge";
import { expect } from "chai";
import { type CuttableTunnel, openTunnel } from "../support/cuttable-tunnel.ts";
import { eventually } from "../support/eventually.ts";
import { readableLog } from "../support/readable-log.ts";
import { rejectionOf } from "../support/rejection.ts";
import { startWaiting } from "../support/stopwatch.ts";
import { createTestDatabase, PATIENT, runAsOperatorOfDatabases } from "../support/test-databases.ts";

/** A database of its own, over one connection. */
async function openOne(timeLimits: DatabaseTimeLimits = PATIENT): Promise<Database> {
  const url = new Secret(await createTestDatabase());
  return openDatabase({
    url,
    maxConnections: 1,
    applicationName: "test",
    log: readableLog().log,
    timeLimits,
  });
}

const ONE = { name: "", text: "SELECT 1 AS one", values: [] };

describe("Transaction", () => {
  it("is not committed when one of its statements failed, even if the error was caught", async () => {
    const database = await openOne();
    const run = (text: string) => ({ name: "", text, values: [] });
    await database.run(run("CREATE TABLE kept (number int)"));
    const failure = await rejectionOf(
      database.transaction(async (queries) => {
        await queries.run(run("INSERT INTO kept VALUES (1)"));
        await queries.run(run("SELECT 1 / 0")).catch(() => undefined);
      }),
    );
    expect(failure).to.be.an("error");
    expect(await database.run(run("SELECT FROM kept"))).to.deep.equal([]);
    await database.close();
  });

  it("is rolled back and keeps its connection when it fails because Redis does not answer", async () => {
    const database = await openOne();
    const run = (text: string) => ({ name: "", text, values: [] });
    await database.run(run("CREATE TABLE kept (number int)"));
    const [before] = await database.run(run("SELECT pg_backend_pid() AS pid"));
    const failure = new RedisUnavailable("Redis refuses");
    const failing = database.transaction(async (queries) => {
      await queries.run(run("INSERT INTO kept VALUES (1)"));
      throw failure;
    });
    expect(await rejectionOf(failing)).to.equal(failure);
    expect(await database.run(run("SELECT FROM kept"))).to.deep.equal([]);
    expect(await database.run(run("SELECT pg_backend_pid() AS pid"))).to.deep.equal([before]);
    await database.close();
  });
});

describe("Query that returns its rows as one JSON text", () => {
  it("gives the same rows as usual, with times as texts, and none when there is none", async () => {
    const database = await openOne();
    const query = `SELECT number, '{ž,"a b"}'::text[] AS names, '{"exp": 17}'::jsonb AS payload, NULL AS nothing,
      number > 1 AS second, '2026-11-28 12:00:00.123456+01'::timestamptz AS at FROM generate_series(1, $1::int) AS number`;
    const run = (text: string, count: number, isInOneJson: boolean) =>
      database.run<{ at: string }>({ name: "", text, values: [count], isInOneJson });
    const together = await run(inOneJson(query), 2, true);
    expect(together.map((row) => ({ ...row, at: new Date(row.at) }))).to.deep.equal(
      await run(query, 2, false),
    );
    expect(together[0]).to.have.property("payload").that.deep.equals({ exp: 17 });
    expect(await run(inOneJson(query), 0, true)).to.deep.equal([]);
    await database.close();
  });
});

describe("Transaction on a connection with an obsolete query plan", () => {
  for (const [what, change] of [
    ["a column has another type, as after a migration", "ALTER TABLE kept ALTER number TYPE bigint"],
    ["a pooler has dropped the plan", "DEALLOCATE ALL"],
  ] as const) {
    it(`fails once, then succeeds on another connection: ${what}`, async () => {
      const database = await openOne();
      const run = (text: string) => database.run({ name: "", text, values: [] });
      const read = { name: "read-kept", text: "SELECT number FROM kept", values: [] };
      const readAll = () => database.transaction((queries) => queries.run(read));
      await run("CREATE TABLE kept (number int)");
      await readAll();
      await run(change);
      expect(await rejectionOf(readAll()))
        .to.have.property("code")
        .that.is.oneOf(["0A000", "26000"]);
      expect(await readAll()).to.deep.equal([]);
      await database.close();
    });
  }
});

describe("Statement with a longer limit inside a transaction", () => {
  it("leaves the usual limit in force for the statements after it", async () => {
    const database = await openOne({ connection: 20_000, statement: 15_000 });
    const limit = { name: "", text: "SHOW statement_timeout", values: [] };
    const limits = await database.transaction(async (queries) => [
      ...(await queries.run({ ...limit, limitMilliseconds: 20_000 })),
      ...(await queries.run(limit)),
    ]);
    await database.close();
    expect(limits).to.deep.equal([{ statement_timeout: "20s" }, { statement_timeout: "15s" }]);
  });

  it("is waited for up to its own limit", async () => {
    const database = await openOne({ connection: 20_000, statement: 1_000 });
    const long = { name: "", text: "SELECT pg_sleep(1.4)", values: [], limitMilliseconds: 20_000 };
    await database.run(ONE);
    expect(await database.transaction((queries) => queries.run(long))).to.have.length(1);
    await database.close();
  });
});

describe("Process that hangs", () => {
  it("keeps no transaction open beyond the statement limit and does not wait forever for a connection", async () => {
    const database = await openOne({ connection: 500, statement: 20_000 });
    const limit = { name: "", text: "SHOW idle_in_transaction_session_timeout", values: [] };
    // On a busy machine the first connection may take longer than that; there is no other one.
    const isThere = () =>
      database.run(ONE).then(
        () => true,
        () => false,
      );
    await eventually(isThere);
    expect(await database.run(limit)).to.deep.equal([{ idle_in_transaction_session_timeout: "20s" }]);
    const failure = await database.transaction(() => rejectionOf(database.run(ONE)));
    expect(isDatabaseUnavailable(failure)).to.equal(true);
    await database.close();
  });
});

describe("Deadlock of two transactions", () => {
  it("fails one of them as retryable, and the other one completes", async () => {
    const url = new URL(await createTestDatabase());
    await runAsOperatorOfDatabases([`ALTER ROLE ${url.username} SET deadlock_timeout = '20ms'`]);
    const { log } = readableLog();
    const options = { url: new Secret(url.href), maxConnections: 2, applicationName: "test", log };
    const database = openDatabase({ ...options, timeLimits: PATIENT });
    const lock = (nth: number) => ({ name: "", text: "SELECT pg_advisory_xact_lock($1)", values: [nth] });
    let locked = 0;
    const lockBoth = (first: number, second: number) =>
      database.transaction(async (queries) => {
        await queries.run(lock(first));
        locked += 1;
        await eventually(() => locked === 2);
        await queries.run(lock(second));
      });
    const outcomes = await Promise.allSettled([lockBoth(1, 2), lockBoth(2, 1)]);
    await database.close();
    const failures = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(failures.map(({ code }) => code)).to.deep.equal(["40P01"]);
    expect(failures.map(isDatabaseUnavailable)).to.deep.equal([true]);
  });
});

describe("Transactions that take turns", () => {
  const open = async (connection: number) =>
    openDatabase({
      url: new Secret(await createTestDatabase()),
      maxConnections: 2,
      applicationName: "test",
      log: readableLog().log,
      timeLimits: { connection, statement: 20_000 },
    });

  it("share one connection in the order of asking, even after one fails", async () => {
    const database = await open(20_000);
    const done: number[] = [];
    const act = (nth: number) =>
      database.transaction(async (queries) => {
        await queries.run(ONE);
        expect(database.pool.totalCount - database.pool.idleCount).to.equal(1);
        done.push(nth);
        if (nth === 1) throw new TypeError("a fault of ours");
      }, "turn");
    const [, failed] = await Promise.allSettled([0, 1, 2, 3].map(act));
    expect(failed?.status).to.equal("rejected");
    expect(done).to.deep.equal([0, 1, 2, 3]);
    await database.close();
  });

  it("go on after one was undone by a deadlock, as the database is there", async () => {
    const database = await open(20_000);
    const undone = Object.assign(new Error("deadlock detected"), { code: "40P01" });
    const [first, second] = await Promise.allSettled([
      database.transaction(() => Promise.reject(undone), "turn"),
      database.transaction((queries) => queries.run(ONE), "turn"),
    ]);
    expect([first.status, second.status]).to.deep.equal(["rejected", "fulfilled"]);
    await database.close();
  });

  it("fail as unavailable when their turn comes too late or the database was away for the one before", async () => {
    const database = await open(100);
    // On a busy machine to connect may take longer than that: both connections are there before.
    const shortly = { ...ONE, text: "SELECT pg_sleep(0.05)" };
    const bothAtOnce = () => Promise.allSettled([0, 1].map(() => database.run(shortly)));
    await eventually(async () => {
      await bothAtOnce();
      return database.pool.idleCount === 2;
    });
    const away = Object.assign(new Error("the server ends"), { code: "57P01" });
    const act = (turn: string, work: () => Promise<unknown>) => rejectionOf(database.transaction(work, turn));
    const failures = await Promise.all([
      database.transaction(() => delay(300), "long"),
      act("long", async () => {}),
      act("away", () => Promise.reject(away)),
      act("away", async () => {}),
    ]);
    expect(failures.slice(1).map(isDatabaseUnavailable)).to.deep.equal([true, true, true]);
    await database.close();
  });
});

describe("Database that stops answering", () => {
  let tunnel: CuttableTunnel;
  let database: Database;

  beforeEach(async () => {
    const url = new URL(await createTestDatabase());
    tunnel = await openTunnel(Number(url.port));
    url.port = String(tunnel.port);
    const { log } = readableLog();
    database = openDatabase({
      url: new Secret(url.href),
      maxConnections: 2,
      applicationName: "test",
      log,
    });
  });
  afterEach(async () => {
    await tunnel.cut();
    await database.close();
  });

  it("fails a transaction after the time limit of one statement, without waiting for its rollback", async () => {
    const waited = startWaiting();
    const failure = await rejectionOf(
      database.transaction(async (queries) => {
        await queries.run(ONE);
        tunnel.stall();
        await queries.run(ONE);
      }),
    );
    expect(isDatabaseUnavailable(failure)).to.equal(true);
    expect(waited()).to.be.below(4_000);
    expect(database.pool.totalCount, "its connection is not left to the next one").to.equal(0);
  });

  it("leaves no connection to the next transaction after a fault of ours that was not rolled back", async () => {
    const failure = await rejectionOf(
      database.transaction(async (queries) => {
        await queries.run(ONE);
        tunnel.stall();
        throw new Error("a fault of ours");
      }),
    );
    expect(failure.message).to.equal("a fault of ours");
    expect(database.pool.totalCount).to.equal(0);
  });

  it("leaves no connection of a failed transaction to the next one", async () => {
    await rejectionOf(
      database.transaction(async (queries) => {
        await queries.run(ONE);
        await tunnel.cut();
        await queries.run(ONE);
      }),
    );
    await tunnel.mend();
    expect(await database.transaction((queries) => queries.run(ONE))).to.deep.equal([{ one: 1 }]);
  });

  for (const [what, error] of [
    ["a name that cannot be resolved now", Object.assign(new Error("getaddrinfo"), { code: "EAI_AGAIN" })],
    ["a standby that only reads", Object.assign(new Error("cannot execute UPDATE"), { code: "25006" })],
    ["a full disk", Object.assign(new Error("could not extend file"), { code: "53100" })],
    ["a disk with errors", Object.assign(new Error("could not read block"), { code: "58030" })],
    ["no file for it", Object.assign(new Error("could not open file"), { code: "53000" })],
    ["a lock that the server waits for no longer", Object.assign(new Error("lock"), { code: "55P03" })],
    ["a connection that is not made in time", new Error("timeout expired")],
  ] as const) {
    it(`is distinguished from a fault of ours: ${what}`, () => {
      expect(isDatabaseUnavailable(error)).to.equal(true);
      expect(isDatabaseUnavailable(new Error("syntax error"))).to.equal(false);
    });
  }
});

describe("Server that ends idle connections", () => {
  it("counts as unavailable for a statement that comes too late for its connection", async () => {
    const url = new URL(await createTestDatabase());
    await runAsOperatorOfDatabases([`ALTER ROLE ${url.username} SET idle_session_timeout = '1ms'`]);
    const { log } = readableLog();
    const options = { url: new Secret(url.href), maxConnections: 1, applicationName: "test", log };
    const database = openDatabase(options);
    const strange: unknown[] = [];
    for (let nth = 0; nth < 200; nth += 1) {
      await database.run(ONE).catch((error) => isDatabaseUnavailable(error) || strange.push(error));
      await delay(nth % 3);
    }
    await database.close();
    expect(strange).to.deep.equal([]);
  });
});

describe("Database that lets nobody in any more", () => {
  for (const [why, change] of [
    ["its role may not sign in now", (role: string) => `ALTER ROLE ${role} NOLOGIN`],
    [
      "it takes no connections now",
      (_: string, name: string) => `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
    ],
  ] as const)
    it(`counts as unavailable: ${why}`, async () => {
      const url = new URL(await createTestDatabase());
      const { log } = readableLog();
      const options = { url: new Secret(url.href), maxConnections: 2, applicationName: "test", log };
      const database = openDatabase(options);
      await runAsOperatorOfDatabases([change(url.username, url.pathname.slice(1))]);
      const failures = [
        await rejectionOf(database.run(ONE)),
        await rejectionOf(database.transaction((queries) => queries.run(ONE))),
      ];
      await database.close();
      expect(failures.map(isDatabaseUnavailable)).to.deep.equal([true, true]);
    });
});

describe("Database that does not answer at a start", () => {
  it("is logged once, however often it is tried", async () => {
    const { log, lines } = readableLog();
    const away = Object.assign(new Error("cannot execute UPDATE"), { code: "25006" });
    const answers = [Promise.reject(away), Promise.reject(away), Promise.resolve("there")];
    for (const answer of answers) answer.catch(() => undefined);
    expect(await whenDatabaseAnswers(async () => answers.shift(), log)).to.equal("there");
    expect(lines.map(({ msg }) => msg)).to.deep.equal([
      "the database does not answer at the start; trying again",
    ]);
  });
});
