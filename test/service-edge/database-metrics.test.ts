import { createMetrics, type Database, openDatabase, RedisUnavailable, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { countDatabase } from "../../packages/service-edge/src/metrics/database-metrics.ts";
import { addReadinessMetrics } from "../../packages/service-edge/src/metrics/readiness-metrics.ts";
import { eventually } from "../support/eventually.ts";
import { readableLog } from "../support/readable-log.ts";
import { rejectionOf } from "../support/rejection.ts";
import { createTestDatabase, PATIENT } from "../support/test-databases.ts";

const TWO = { name: "two", text: "SELECT generate_series(1, 2) AS row", values: [] };
const ENDED = { name: "ended", text: "SELECT pg_terminate_backend(pg_backend_pid())", values: [] };
const WRONG = { name: "wrong", text: "SELECT 1 / 0", values: [] };

describe("Database metrics", () => {
  let opened: Database;
  let database: Database;
  let metrics: ReturnType<typeof createMetrics>;

  beforeEach(async () => {
    const url = new Secret(await createTestDatabase());
    const { log } = readableLog();
    const options = { url, maxConnections: 3, applicationName: "test", log, timeLimits: PATIENT };
    opened = openDatabase(options);
    metrics = createMetrics("test");
    database = countDatabase(opened, metrics, 3);
  });
  afterEach(() => opened.close());

  async function valueOfMetric(start: string): Promise<number> {
    const lines = (await metrics.present()).body.split("\n");
    return Number(
      lines
        .find((line) => line.startsWith(start))
        ?.split(" ")
        .at(-1),
    );
  }

  it("report runs, rows and time of each statement by name, inside and outside transactions", async () => {
    await database.run(TWO);
    await database.transaction((queries) => queries.run(TWO));
    expect(await valueOfMetric('database_statements_total{statement="two"')).to.equal(2);
    expect(await valueOfMetric('database_statement_rows_total{statement="two"')).to.equal(4);
    expect(await valueOfMetric('database_statement_seconds_total{statement="two"')).to.be.greaterThan(0);
    expect(await valueOfMetric("database_statement_duration_seconds_count")).to.equal(2);
    expect(await valueOfMetric("database_transaction_wait_seconds_count")).to.equal(1);
  });

  it("do not count the readiness check of each scrape as waiting for a connection", async () => {
    metrics = createMetrics("test");
    const ready = async () => ({ database: (await database.run(TWO)).length === 2 });
    // As in a process, which tells what it waits for before it has a database.
    addReadinessMetrics(metrics, { running: true }, ready);
    database = countDatabase(opened, metrics, 3);
    for (let look = 0; look < 3; look += 1) {
      expect(await valueOfMetric("database_pool_waiting")).to.equal(0);
      expect(await valueOfMetric("service_ready")).to.equal(1);
    }
  });

  it("distinguish a statement that the database refuses from one that it does not answer", async () => {
    await rejectionOf(database.run(WRONG));
    expect(
      await valueOfMetric('database_statement_failures_total{statement="wrong",reason="refused"'),
    ).to.equal(1);
    await rejectionOf(database.run(ENDED));
    expect(
      await valueOfMetric('database_statement_failures_total{statement="ended",reason="unavailable"'),
    ).to.equal(1);
  });

  it("count a transaction once when its commit is not answered, but none that fails for another reason", async () => {
    const text = `CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$`;
    await opened.run({ name: "", text, values: [] });
    await opened.run({ name: "", text: "CREATE TABLE left_alone (id integer)", values: [] });
    const trigger = `CREATE CONSTRAINT TRIGGER leaving AFTER INSERT ON left_alone DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION leave()`;
    await opened.run({ name: "", text: trigger, values: [] });
    const insert = { name: "insert", text: "INSERT INTO left_alone VALUES (1)", values: [] };
    const failed = (statement: string) =>
      valueOfMetric(`database_statement_failures_total{statement="${statement}",reason="unavailable"`);
    await rejectionOf(database.transaction((queries) => queries.run(insert)));
    expect([await failed("transaction"), await failed("insert")]).to.deep.equal([1, Number.NaN]);
    await rejectionOf(database.transaction((queries) => queries.run(ENDED)));
    await rejectionOf(database.transaction(() => Promise.reject(new Error("no"))));
    expect([await failed("transaction"), await failed("ended")]).to.deep.equal([1, 1]);
  });

  it("do not count a transaction that fails because of Redis as one that the database did not answer", async () => {
    const failure = new RedisUnavailable("Redis refuses");
    expect(await rejectionOf(database.transaction(() => Promise.reject(failure)))).to.equal(failure);
    expect((await metrics.present()).body).not.to.match(/^database_statement_failures_total\{.* [1-9]/m);
  });

  it("report how many connections are busy, idle, waited for and allowed", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const transactions = Array.from({ length: 5 }, () => database.transaction(() => held));
    await eventually(async () => (await valueOfMetric('database_pool_connections{state="busy"')) === 3);
    expect(await valueOfMetric("database_pool_waiting")).to.equal(2);
    expect(await valueOfMetric("database_pool_max_connections")).to.equal(3);
    release();
    await Promise.all(transactions);
    expect(await valueOfMetric('database_pool_connections{state="busy"')).to.equal(0);
    expect(await valueOfMetric('database_pool_connections{state="idle"')).to.equal(3);
  });
});
