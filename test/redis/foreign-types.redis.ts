import { expect } from "chai";
import type { EphemeralStore } from "../../packages/auth/src/ephemeral/ephemeral-store.ts";
import { createEphemeralStoreInRedis } from "../../packages/auth/src/ephemeral/ephemeral-store-redis.ts";
import { createRateLimitsInRedis } from "../../packages/auth/src/limits/rate-limit-store-redis.ts";
import { type RedisServer, startRedis } from "../support/redis-servers.ts";
import { MARKS, openSharedRedis, type SharedRedis } from "./open-shared-redis.ts";

const KEY = { kind: "Session", id: "one" };
const TERMS = { uid: "uid", lifetimeSeconds: 60 };
const AMONG = { ...TERMS, limit: 1 };

describe("Foreign values of another type than ours in Redis", function foreignTypes() {
  this.timeout(120_000);
  let server: RedisServer;
  let shared: SharedRedis;
  let store: EphemeralStore<object>;
  before(async () => {
    server = await startRedis();
    shared = await openSharedRedis(server.url);
    store = createEphemeralStoreInRedis(shared.fenced[0], MARKS);
  });
  after(async () => {
    await shared?.close();
    await server?.stop();
  });
  beforeEach(() => server.client.flushall());

  /** Writes a hash in place of every key that fits. */
  async function forge(pattern: string): Promise<void> {
    const keys = await server.client.keys(pattern);
    expect(keys).to.have.length.above(0);
    for (const key of keys) {
      await server.client.del(key);
      await server.client.hset(key, "a", "b");
    }
  }

  it("count as missing records, and give way to the next one", async () => {
    await store.put(KEY, { a: 1 }, TERMS);
    await forge("*:Session*");
    expect(await store.find(KEY)).to.equal(undefined);
    expect(await store.findByUid(KEY.kind, "uid")).to.equal(undefined);
    expect(await store.putInPlaceOf(undefined, KEY, { a: 2 }, TERMS)).to.equal(true);
    expect(await store.findByUid(KEY.kind, "uid")).to.deep.equal({ a: 2 });
    await forge("*:Session*");
    expect(await store.take(KEY)).to.equal(false);
  });

  it("count as a first answer that was given", async () => {
    await store.putNew(KEY, { a: 1 }, TERMS);
    await forge("*:Session*");
    expect(await store.putNew(KEY, { a: 2 }, TERMS)).to.equal(false);
  });

  it("leave room among records of one name", async () => {
    await store.putAmong(KEY, {}, AMONG);
    await forge("*/among:*");
    expect(await store.putAmong({ ...KEY, id: "two" }, {}, AMONG)).to.equal(true);
    expect(await store.putAmong({ ...KEY, id: "three" }, {}, AMONG)).to.equal(false);
  });

  it("are no fence, so that a new epoch begins", async () => {
    await store.put(KEY, { a: 1 }, TERMS);
    await forge("*:epoch");
    expect(await store.find(KEY)).to.equal(undefined);
    await store.put(KEY, { a: 2 }, TERMS);
    expect(await store.find(KEY)).to.deep.equal({ a: 2 });
  });

  it("are empty buckets of a limit", async () => {
    const limits = createRateLimitsInRedis(shared.redis[0]);
    const bucket = { name: "one a minute", perMinute: 1 };
    await limits.pour([bucket]);
    await forge("*{limits}*");
    expect(await limits.pour([bucket])).to.deep.equal([]);
    expect(await limits.pour([bucket])).to.have.length(1);
    await forge("*{limits}*");
    await limits.overfill([bucket], 1);
    expect(await limits.pour([bucket])).to.have.length(1);
  });
});
