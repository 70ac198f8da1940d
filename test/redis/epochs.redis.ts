import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isDatabaseUnavailable } from "@cobs/service-edge";
import { expect } from "chai";
import type { EphemeralStore } from "../../packages/auth/src/ephemeral/ephemeral-store.ts";
import { createEphemeralStoreInRedis } from "../../packages/auth/src/ephemeral/ephemeral-store-redis.ts";
import { openTunnel } from "../support/cuttable-tunnel.ts";
import { eventually } from "../support/eventually.ts";
import { type RedisCluster, startRedisCluster } from "../support/redis-cluster.ts";
import {
  FAILOVER_LIMIT_MILLISECONDS,
  type RedisSentinels,
  startRedisSentinels,
} from "../support/redis-sentinels.ts";
import { type RedisServer, startRedis } from "../support/redis-servers.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { MARKS, openSharedRedis, type SharedRedis } from "./open-shared-redis.ts";

const KEY = { kind: "Interaction", id: "once" };
const TERMS = { uid: "uid", lifetimeSeconds: 600 };

/** How a server comes to be no primary any more, on connections that stay, and how it becomes one again. */
const NO_PRIMARIES: readonly (readonly [
  what: string,
  begin: (server: RedisServer, primary: RedisServer) => unknown,
  end: (server: RedisServer) => unknown,
])[] = [
  [
    "has become a replica",
    ({ client }, { port }) => client.call("REPLICAOF", "127.0.0.1", port),
    ({ client }) => client.call("REPLICAOF", "NO", "ONE"),
  ],
  [
    "is cut off from its replicas",
    ({ client }) => client.config("SET", "min-replicas-to-write", "1"),
    ({ client }) => client.config("SET", "min-replicas-to-write", "0"),
  ],
];

const FAULTS_OF_A_MASTER: readonly (readonly [string, (master: RedisServer) => unknown])[] = [
  ["is gone", (master) => master.kill()],
  ["says nothing", (master) => master.pause()],
];

type Stores = readonly [EphemeralStore<object>, EphemeralStore<object>];

const storesOf = ({ fenced }: SharedRedis): Stores => [
  createEphemeralStoreInRedis(fenced[0], MARKS),
  createEphemeralStoreInRedis(fenced[1], MARKS),
];

/** Whether all are answered, and rightly: one that waits too long on a busy machine is refused. */
async function areAnswered<T>(asked: readonly Promise<T>[], isRight: (answer: T) => boolean = () => true) {
  const answers = await Promise.allSettled(asked);
  return answers.every((each) => each.status === "fulfilled" && isRight(each.value));
}

/** Whether the stores answer, both of them. */
function answer(stores: Stores): Promise<boolean> {
  return areAnswered(stores.map((store) => store.find({ kind: "Session", id: "any" })));
}

function attemptsToTake([one, other]: Stores) {
  return Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? one : other).take(KEY));
}

async function takeOften(stores: Stores): Promise<number> {
  return (await Promise.all(attemptsToTake(stores))).filter(Boolean).length;
}

describe("Epoch of Redis", function epochOfRedis() {
  this.timeout(120_000);
  let server: RedisServer;
  let shared: SharedRedis;
  let stores: Stores;
  const folder = temporaryFolder();
  const copy = join(folder.path, "copy.rdb");
  before(async () => {
    server = await startRedis();
    shared = await openSharedRedis(server.url);
    stores = storesOf(shared);
    await stores[0].put({ kind: "Session", id: "first" }, {}, TERMS);
  });
  after(async () => {
    await shared?.close();
    await server?.stop();
    folder.remove();
  });

  it("lasts as long as nothing is lost", async () => {
    const before = shared.turns();
    await stores[0].put(KEY, { a: 1 }, TERMS);
    expect(await stores[1].find(KEY)).to.deep.equal({ a: 1 });
    expect(await takeOften(stores)).to.equal(1);
    expect(shared.turns()).to.equal(before);
  });

  it("ends when Redis is emptied, and fifty calls in two processes begin just one new epoch", async () => {
    await stores[0].put(KEY, {}, TERMS);
    const before = shared.turns();
    await server.client.flushall();
    expect(await takeOften(stores)).to.equal(0);
    expect(shared.turns()).to.equal(before + 1);
    await stores[1].put(KEY, { a: 2 }, TERMS);
    expect(await stores[0].find(KEY)).to.deep.equal({ a: 2 });
  });

  it("ends when Redis restarts, even with all its data", async () => {
    await stores[0].put(KEY, {}, TERMS);
    await server.save(copy);
    const before = shared.turns();
    await server.kill();
    await server.start(copy);
    expect(await server.client.dbsize()).to.be.greaterThan(0);
    await eventually(() => answer(stores));
    expect(await stores[0].find(KEY)).to.equal(undefined);
    expect(await stores[1].findByUid(KEY.kind, "uid")).to.equal(undefined);
    expect(shared.turns()).to.equal(before + 1);
  });

  it("ends when an old copy comes back, so that nothing taken is revived", async () => {
    await stores[0].put(KEY, {}, TERMS);
    await server.save(copy);
    expect(await takeOften(stores)).to.equal(1);
    await server.kill();
    await server.start(copy);
    await eventually(() => answer(stores));
    expect(await takeOften(stores)).to.equal(0);
  });

  it("has ended for a process that starts after an old copy has come back", async () => {
    await stores[0].put(KEY, {}, TERMS);
    await server.save(copy);
    await server.kill();
    await server.start(copy);
    const late = createEphemeralStoreInRedis<object>(shared.startLate(), MARKS);
    let taken: boolean | undefined;
    await eventually(async () => {
      taken = await late.take(KEY).catch(() => undefined);
      return taken !== undefined;
    });
    expect(taken).to.equal(false);
  });

  it("ends when the server takes on the history of another one while it runs", async () => {
    const elsewhere = await startRedis();
    await stores[0].put(KEY, {}, TERMS);
    await server.client.call("REPLICAOF", "127.0.0.1", elsewhere.port);
    // A primary waits five seconds for more replicas before it copies itself (repl-diskless-sync-delay).
    const isCopied = async () => String(await server.client.info("replication")).includes("link_status:up");
    await eventually(isCopied, 30_000);
    await server.client.call("REPLICAOF", "NO", "ONE");
    await eventually(() => answer(stores));
    expect(await stores[0].find(KEY)).to.equal(undefined);
    await elsewhere.stop();
  });

  for (const [what, begin, end] of NO_PRIMARIES)
    it(`ends when the server ${what} and another is found in its place`, async () => {
      const primary = await startRedis();
      const tunnel = await openTunnel(server.port);
      const led = await openSharedRedis(server.url.replace(/\d+$/, String(tunnel.port)));
      const both = storesOf(led);
      await both[0].put(KEY, {}, TERMS);
      tunnel.lead(primary.port);
      await begin(server, primary);
      const puts = () => both.map((store) => store.put({ kind: "Session", id: "other" }, {}, TERMS));
      await eventually(() => areAnswered(puts()));
      expect(await both[1].find(KEY)).to.equal(undefined);
      expect(await primary.client.dbsize()).to.be.greaterThan(0);
      await end(server);
      await led.close();
      await tunnel.cut();
      await primary.stop();
    });

  it("is not read from a replica, which has the same history and may be behind", async () => {
    const replica = await startRedis();
    // With its first replica a server begins a new history.
    await replica.client.call("REPLICAOF", "127.0.0.1", server.port);
    await eventually(async () => (await replica.client.dbsize()) > 0);
    const tunnel = await openTunnel(server.port);
    const led = await openSharedRedis(server.url.replace(/\d+$/, String(tunnel.port)));
    const [store] = storesOf(led);
    await store.put(KEY, {}, TERMS);
    await eventually(async () => (await replica.client.dbsize()) === (await server.client.dbsize()));
    await tunnel.cut();
    tunnel.lead(replica.port);
    await tunnel.mend();
    // It says as Redis does to who writes that it is none to be asked, at which the primary is looked for again.
    await eventually(async () => {
      const answer = await store.find(KEY).then(JSON.stringify, String);
      expect(answer).not.to.equal("{}");
      return answer.includes("READONLY");
    });
    await led.close();
    await tunnel.cut();
    await replica.stop();
  });

  it("is the only record in Redis without an expiry time", async () => {
    await stores[0].put(KEY, {}, TERMS);
    await stores[0].putAmong({ kind: "Request", id: "one" }, {}, { ...TERMS, limit: 1 });
    const keys = (await server.client.keys("*")).filter((key) => !key.endsWith(":epoch"));
    const lasting = await Promise.all(keys.map(async (key) => (await server.client.pttl(key)) < 0));
    expect(keys.filter((_, place) => lasting[place])).to.deep.equal([]);
    expect(keys).to.have.length.above(3);
  });

  it("ends by the operator's order in all processes", async () => {
    await stores[0].put(KEY, {}, TERMS);
    await shared.fenced[1].turn(async () => {});
    expect(await stores[0].find(KEY)).to.equal(undefined);
    expect(await stores[1].find(KEY)).to.equal(undefined);
  });

  it("ends by the operator's order even when the server is full", async () => {
    await stores[0].put(KEY, {}, TERMS);
    await server.client.config("SET", "maxmemory", "1");
    await shared.fenced[1].turn(async () => {}).finally(() => server.client.config("SET", "maxmemory", "0"));
    expect(await stores[0].find(KEY)).to.equal(undefined);
  });

  it("ends by the operator's order for a process that missed the previous one", async () => {
    await shared.fenced[0].turn(async () => {});
    await stores[0].put(KEY, {}, TERMS);
    await shared.fenced[1].turn(async () => {});
    expect(await stores[0].find(KEY)).to.equal(undefined);
  });

  it("cannot begin without the database, so that nothing is believed then", async () => {
    const lonely = await openSharedRedis(server.url);
    const [store] = storesOf(lonely);
    await store.put(KEY, {}, TERMS);
    await Promise.all(lonely.databases.map((database) => database.close()));
    await server.client.flushall();
    let failed = false;
    await store.find(KEY).catch(() => {
      failed = true;
    });
    expect(failed).to.equal(true);
    await Promise.all(lonely.redis.map((redis) => redis.close()));
  });
});

describe("Epoch of Redis behind Sentinels", function epochBehindSentinels() {
  this.timeout(240_000);
  let group: RedisSentinels;
  let shared: SharedRedis;
  before(async () => {
    group = await startRedisSentinels();
    shared = await openSharedRedis(group.url);
  });
  after(async () => {
    await shared?.close();
    await group?.stop();
  });

  it("ends with a failover, and nothing that was taken comes back", async () => {
    const stores = storesOf(shared);
    await stores[0].put(KEY, {}, TERMS);
    await eventually(
      async () => (await group.replica.client.dbsize()) === (await group.primary.client.dbsize()),
    );
    expect(await takeOften(stores)).to.equal(1);
    await group.primary.kill();
    await eventually(() => answer(stores), FAILOVER_LIMIT_MILLISECONDS);
    let taken = 0;
    const count = (isTaken: boolean) => {
      taken += Number(isTaken);
      return isTaken;
    };
    const takes = () => attemptsToTake(stores).map((asked) => asked.then(count));
    await eventually(() => areAnswered(takes()), FAILOVER_LIMIT_MILLISECONDS);
    expect(taken).to.equal(0);
    const puts = () => [stores[0].put(KEY, { a: 1 }, TERMS)];
    await eventually(() => areAnswered(puts()), FAILOVER_LIMIT_MILLISECONDS);
    const finds = () => [stores[1].find(KEY)];
    const isWhatWasPut = (found: object | undefined) => isDeepStrictEqual(found, { a: 1 });
    await eventually(() => areAnswered(finds(), isWhatWasPut), FAILOVER_LIMIT_MILLISECONDS);
  });
});

describe("Epoch of a Cluster of Redis", function epochOfCluster() {
  this.timeout(240_000);
  let cluster: RedisCluster;
  let shared: SharedRedis;
  before(async () => {
    cluster = await startRedisCluster();
    shared = await openSharedRedis(cluster.url);
  });
  after(async () => {
    await shared?.close();
    await cluster?.stop();
  });

  it("ends for all nodes when one of them is emptied", async () => {
    const [one, other] = storesOf(shared);
    const ids = Array.from({ length: 40 }, (_, index) => ({ kind: "Session", id: `session ${index}` }));
    await Promise.all(ids.map((key) => one.put(key, {}, TERMS)));
    const before = shared.turns();
    await cluster.masters[1]?.client.flushall();
    const found = async () => (await Promise.all(ids.map((key) => other.find(key)))).filter(Boolean).length;
    await found();
    expect(await found()).to.equal(0);
    expect(shared.turns()).to.equal(before + 1);
  });

  it("fails calls while a node is away, and goes on when it is there again", async () => {
    const stores = storesOf(shared);
    const put = (index: number) => stores[0].put({ kind: "Session", id: `away ${index}` }, {}, TERMS);
    const all = () => Promise.allSettled(Array.from({ length: 40 }, (_, index) => put(index)));
    await cluster.masters[2]?.kill();
    const refused = (await all()).flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(refused.length).to.be.greaterThan(0);
    expect(refused.every(isDatabaseUnavailable)).to.equal(true);
    await cluster.masters[2]?.start();
    const isWhole = async () => (await all()).every(({ status }) => status === "fulfilled");
    await eventually(isWhole, FAILOVER_LIMIT_MILLISECONDS);
  });
});

for (const [fault, strike] of FAULTS_OF_A_MASTER)
  describe(`Epoch of a Cluster of Redis with a master that ${fault}`, function epochOfReplica() {
    this.timeout(240_000);
    let cluster: RedisCluster;
    let shared: SharedRedis;
    before(async () => {
      cluster = await startRedisCluster({ nodeTimeoutMilliseconds: 1_000 });
      shared = await openSharedRedis(cluster.url);
    });
    after(async () => {
      await shared?.close();
      await cluster?.stop();
    });

    it("ends when the replica takes over, and nothing kept before is found", async () => {
      const stores = storesOf(shared);
      const [first] = cluster.masters;
      if (first === undefined) throw new TypeError("a Cluster has nodes");
      const keys = Array.from({ length: 40 }, (_, index) => ({ kind: "Session", id: `session ${index}` }));
      const early = () => keys.map((key) => stores[0].put(key, {}, TERMS));
      // A node that a busy machine keeps waiting for a second is away to the others.
      await eventually(() => areAnswered(early()), FAILOVER_LIMIT_MILLISECONDS);
      await strike(first);
      const finds = () => stores.flatMap((store) => keys.map((key) => store.find(key)));
      await eventually(
        () => areAnswered(finds(), (found) => found === undefined),
        FAILOVER_LIMIT_MILLISECONDS,
      );
      const puts = () => keys.map((key) => stores[1].put(key, { a: 1 }, TERMS));
      await eventually(() => areAnswered(puts()), FAILOVER_LIMIT_MILLISECONDS);
      await eventually(
        () => areAnswered(finds(), (found) => found !== undefined),
        FAILOVER_LIMIT_MILLISECONDS,
      );
    });
  });
