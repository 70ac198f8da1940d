import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import type { RateLimitStore } from "../../packages/auth/src/limits/rate-limit-store.ts";
import {
  createRateLimitStore,
  forgetEmptyBuckets,
} from "../../packages/auth/src/limits/rate-limit-store-postgres.ts";
import { twoProcesses } from "./auth-database.ts";

describe("A store of rate limits", () => {
  let databases: readonly [Database, Database];
  let one: RateLimitStore;
  let other: RateLimitStore;
  before(async () => {
    databases = await twoProcesses();
    [one, other] = [createRateLimitStore(databases[0]), createRateLimitStore(databases[1])];
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const pourAtOnce = (times: number, names: readonly string[], perMinute: number) =>
    Promise.all(
      Array.from({ length: times }, (_, index) =>
        (index % 2 === 0 ? one : other).pour(names.map((name) => ({ name, perMinute }))),
      ),
    );
  const bucketCount = async () => {
    const text = "SELECT count(*)::int4 AS count FROM rate_limit";
    const [row] = await databases[0].run<{ count: number }>({ name: "count", text, values: [] });
    return row?.count;
  };

  for (const limit of [1, 7, 20])
    it(`takes exactly ${limit} of fifty calls that come at once in two processes`, async () => {
      const outcomes = await pourAtOnce(50, [`at once ${limit}`], limit);
      expect(outcomes.filter((full) => full.length === 0)).to.have.length(limit);
      // One that began before the last that was taken waits so much longer.
      for (const full of outcomes.flat())
        expect(full.waitMilliseconds).to.be.within(1, 60_000 / limit + 2_000);
    });

  it("takes exactly as many of fifty calls at once into several buckets", async () => {
    const outcomes = await pourAtOnce(50, ["several a", "several b", "several c"], 9);
    expect(outcomes.filter((full) => full.length === 0)).to.have.length(9);
  });

  it("never waits for itself when calls name the same buckets in different orders", async () => {
    const orders = [
      ["order a", "order b"],
      ["order b", "order a"],
    ];
    const outcomes = await Promise.all(orders.map((names) => pourAtOnce(40, names, 1_000)));
    expect(outcomes.flat(2)).to.deep.equal([]);
  });

  it("pours into no bucket when one of them is full, and names that one", async () => {
    const [full, roomy] = [
      { name: "full", perMinute: 1 },
      { name: "roomy", perMinute: 1 },
    ];
    await one.pour([full]);
    const outcome = await other.pour([roomy, full]);
    expect(outcome.map(({ name }) => name)).to.deep.equal(["full"]);
    expect(await one.pour([roomy])).to.deep.equal([]);
  });

  it("takes another call after as long as it says, and not before", async () => {
    const bucket = { name: "wait", perMinute: 120 };
    await one.overfill([bucket], 120);
    const [full] = await other.pour([bucket]);
    expect(full?.waitMilliseconds).to.be.within(1, 500);
    await delay((full?.waitMilliseconds ?? 0) / 4);
    expect(await one.pour([bucket])).to.have.length(1);
    await delay(((full?.waitMilliseconds ?? 0) * 3) / 4 + 1);
    expect(await one.pour([bucket])).to.deep.equal([]);
    expect(await other.pour([bucket])).to.have.length(1);
  });

  it("pours many at once into a full bucket too, but never more than those above a minute's worth", async () => {
    const bucket = { name: "overfull", perMinute: 60 };
    for (let times = 0; times < 5; times += 1) await one.overfill([bucket], 30);
    const [full] = await other.pour([bucket]);
    expect(full?.waitMilliseconds).to.be.within(30_000, 31_000);
  });

  it("forgets buckets that have run empty, and no others", async () => {
    await databases[0].run({ name: "truncate", text: "TRUNCATE rate_limit", values: [] });
    await one.pour([{ name: "long", perMinute: 1 }]);
    await one.pour([{ name: "short", perMinute: 60_000 }]);
    await delay(5);
    await databases[1].run(forgetEmptyBuckets(10));
    expect(await bucketCount()).to.equal(1);
    expect(await other.pour([{ name: "long", perMinute: 1 }])).to.have.length(1);
  });

  it("keeps names out of the database", async () => {
    await one.pour([{ name: "authorize_address 192.0.2.1", perMinute: 1 }]);
    const rows = await databases[0].run({ name: "all", text: "SELECT * FROM rate_limit", values: [] });
    expect(Buffer.from(JSON.stringify(rows)).toString("latin1")).not.to.match(/192\.0\.2\.1|address/);
  });
});
