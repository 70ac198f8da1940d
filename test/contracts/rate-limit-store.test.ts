import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { MOST_OVERFILLED } from "../../packages/auth/src/limits/rate-limit-store.ts";
import {
  createRateLimitsInPostgres,
  forgetEmptyBuckets,
} from "../../packages/auth/src/limits/rate-limit-store-postgres.ts";
import { twoProcesses } from "./auth-database.ts";
import { describeRateLimitStore } from "./rate-limit-store-contract.ts";

describeRateLimitStore("in PostgreSQL", async () => {
  const databases = await twoProcesses();
  const run = <Row>(name: string, text: string) => databases[0].run<Row>({ name, text, values: [] });
  return {
    one: createRateLimitsInPostgres(databases[0]),
    other: createRateLimitsInPostgres(databases[1]),
    tidy: async () => {
      await databases[1].run(forgetEmptyBuckets(10));
    },
    clear: async () => {
      await run("truncate", "TRUNCATE rate_limit");
    },
    putClockBack: async () => {
      await run("put-back", "UPDATE rate_limit SET empty_at = empty_at + interval '1 hour'");
    },
    count: async () => {
      const [row] = await run<{ count: number }>("count", "SELECT count(*)::int4 AS count FROM rate_limit");
      return row?.count ?? 0;
    },
    kept: async () =>
      Buffer.from(JSON.stringify(await run("all", "SELECT * FROM rate_limit"))).toString("latin1"),
    close: () => Promise.all(databases.map((database) => database.close())),
  };
});

describe("Call that PostgreSQL begins before others and judges after them", () => {
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  it("uses the room that there is when it is judged", async () => {
    const [waiting, others] = databases;
    const [small, roomy] = [
      { name: "small", perMinute: 1 },
      { name: "roomy", perMinute: 2 },
    ];
    await waiting.transaction(async (queries) => {
      await queries.run({ name: "begin", text: "SELECT now()", values: [] });
      await createRateLimitsInPostgres(others).pour([small, roomy]);
      const late = createRateLimitsInPostgres({ ...waiting, run: (statement) => queries.run(statement) });
      expect((await late.pour([small, roomy])).map(({ name }) => name)).to.deep.equal(["small"]);
      expect(await late.pour([roomy])).to.deep.equal([]);
    });
  });
});

describe("Bucket in PostgreSQL that ran empty long ago and is not yet deleted", () => {
  it("is overfilled like one that was never filled", async () => {
    const databases = await twoProcesses();
    const [database] = databases;
    const store = createRateLimitsInPostgres(database);
    const bucket = { name: "long empty", perMinute: 20 };
    await store.pour([bucket]);
    const text = "UPDATE rate_limit SET empty_at = empty_at - interval '1 hour'";
    await database.run({ name: "long-ago", text, values: [] });
    await store.overfill([bucket], MOST_OVERFILLED);
    expect((await store.pour([bucket])).map(({ name }) => name)).to.deep.equal(["long empty"]);
    await Promise.all(databases.map((each) => each.close()));
  });
});
