import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { openRedis, type Redis, RedisUnavailable, redisScript } from "@cobs/service-edge";
import { expect } from "chai";
import { connectRedis } from "../../packages/service-edge/src/redis/connect-redis.ts";
import { parseRedisPlace } from "../../packages/service-edge/src/redis/redis-place.ts";
import { type CuttableTunnel, openTunnel } from "../support/cuttable-tunnel.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { readableLog } from "../support/readable-log.ts";
import { startRedisCluster } from "../support/redis-cluster.ts";
import {
  FAILOVER_LIMIT_MILLISECONDS,
  type RedisSentinels,
  startRedisSentinels,
} from "../support/redis-sentinels.ts";
import { type RedisServer, secureLines, startRedis } from "../support/redis-servers.ts";
import { rejectionOf } from "../support/rejection.ts";
import { startWaiting } from "../support/stopwatch.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { answers, echo, openSharedRedis, type SharedRedis } from "./open-shared-redis.ts";

const MISTAKEN = redisScript("mistaken", "return redis.call('NO-SUCH-COMMAND')");
/** A way to a port of loopback on which everything that is said there arrives at once, after its caller has hung up. */
async function openLateWay(target: number) {
  let hear: () => void = () => undefined;
  const heard = new Promise<void>((resolve) => {
    hear = resolve;
  });
  const way = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ host: "127.0.0.1", port: target, allowHalfOpen: true });
    const said: Buffer[] = [];
    near.on("error", () => undefined).once("data", hear);
    near.pipe(far);
    far.on("error", () => undefined).on("data", (chunk) => said.push(chunk));
    far.once("end", () => near.end(Buffer.concat(said)));
  });
  const port = await freePort();
  await once(way.listen(port, "127.0.0.1"), "listening");
  return { port, heard, close: () => way.close() };
}

/** A way to a port of loopback that, once it is slow, is late to tell of an unknown script, and tells nothing after that. */
async function openSlowWay(target: number, milliseconds: number) {
  let isSlow = false;
  const way = createServer((near) => {
    const far = connect({ host: "127.0.0.1", port: target });
    let isOver = false;
    near.on("error", () => undefined).pipe(far);
    near.once("close", () => far.destroy());
    far
      .on("error", () => undefined)
      .on("data", (chunk) => {
        if (isOver) return;
        isOver = isSlow && chunk.includes("NOSCRIPT");
        setTimeout(() => near.write(chunk), isOver ? milliseconds : 0);
      });
  });
  const port = await freePort();
  await once(way.listen(port, "127.0.0.1"), "listening");
  const slow = () => {
    isSlow = true;
  };
  return { port, slow, close: () => way.close() };
}

/** It gives up after a second and a half; this machine may be busy. */
const LIMIT_MILLISECONDS = 6_000;

describe("Connection to Redis", function connectionToRedis() {
  this.timeout(120_000);
  let server: RedisServer;
  let shared: SharedRedis;
  let redis: Redis;
  const secured: RedisServer[] = [];
  before(async () => {
    server = await startRedis();
    shared = await openSharedRedis(server.url);
    [redis] = shared.redis;
  });
  after(async () => {
    await shared?.close();
    await Promise.all([server, ...secured].map((each) => each?.stop()));
  });

  /** A server over TLS, the authority of its certificate, and one that has not certified it. */
  async function startSecure() {
    const { caFile, privateCaFile } = await testCertificates();
    const port = await freePort();
    secured.push(await startRedis(await secureLines(port)));
    const [authority = "", another = ""] = [caFile, privateCaFile].map((file) => readFileSync(file, "utf8"));
    return { port, authority, another };
  }

  it("runs a script that the server has forgotten", async () => {
    expect(await echo(redis)).to.equal("a");
    await server.client.script("FLUSH");
    expect(await echo(redis)).to.equal("a");
  });

  it("does not report a mistake of ours as an outage of Redis", async () => {
    const error = await rejectionOf(redis.run(MISTAKEN, { keys: [], values: [] }));
    expect(error).not.to.be.instanceOf(RedisUnavailable);
  });

  it("passes on what Redis says when its memory is full and it refuses", async () => {
    await server.client.config("SET", "maxmemory", "1");
    const writing = redisScript("writing", "return redis.call('SET', KEYS[1], '1')");
    const error = await rejectionOf(redis.run(writing, { keys: ["full"], values: [] }));
    await server.client.config("SET", "maxmemory", "0");
    expect(error).to.be.instanceOf(RedisUnavailable);
    expect(Object(error).message).to.match(/^Redis refuses: OOM /);
  });

  it("fails at once while Redis is away, and reconnects by itself", async () => {
    await server.kill();
    await eventually(async () => !(await answers(redis)));
    const waited = startWaiting();
    const attempts = await Promise.allSettled(Array.from({ length: 500 }, () => echo(redis)));
    expect(waited()).to.be.lessThan(2_500);
    for (const attempt of attempts)
      expect(attempt.status === "rejected" && attempt.reason).to.be.instanceOf(RedisUnavailable);
    await server.start();
    await eventually(() => answers(redis));
  });

  it("gives up on a silent Redis within its time limit", async () => {
    server.pause();
    const waited = startWaiting();
    const attempts = await Promise.allSettled(Array.from({ length: 50 }, () => echo(redis)));
    expect(waited()).to.be.lessThan(LIMIT_MILLISECONDS);
    expect(attempts.every(({ status }) => status === "rejected")).to.equal(true);
    server.resume();
    await eventually(() => answers(redis));
  });

  it("waits for a script and its text together no longer than its time limit", async () => {
    const way = await openSlowWay(server.port, 1_300);
    const slow = await openSharedRedis(server.url.replace(`:${server.port}`, `:${way.port}`));
    try {
      way.slow();
      const unknown = redisScript("unknown", "return {'unknown'}");
      const refusal = await rejectionOf(slow.redis[0].run(unknown, { keys: [], values: [] }));
      expect(refusal).to.be.instanceOf(RedisUnavailable).with.property("message", "Redis took too long");
    } finally {
      await slow.close();
      way.close();
    }
  });

  it("treats a wrong password as an outage of Redis", async () => {
    const wrong = await openSharedRedis(`redis://:wrong@127.0.0.1:${server.port}`, { refused: true });
    expect(await rejectionOf(echo(wrong.redis[0]))).to.be.instanceOf(RedisUnavailable);
    await wrong.close();
  });

  it("logs once why it cannot connect again", async () => {
    const { log, lines } = readableLog();
    const changed = await startRedis();
    secured.push(changed);
    const settings = { place: parseRedisPlace(changed.url), authority: undefined };
    const metrics = { connected: () => undefined, ran: () => undefined };
    const opened = await openRedis({ settings, applicationName: "contract", metrics, log });
    await eventually(() => answers(opened));
    await changed.client.config("SET", "requirepass", "another");
    await changed.client.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    const whys = () => lines.filter((line) => JSON.stringify(line).includes("WRONGPASS"));
    await eventually(() => Promise.resolve(whys().length > 0));
    await rejectionOf(echo(opened));
    await opened.close();
    expect(whys()).to.have.length(1);
  });

  it("logs a policy by which the full server forgets, but not one by which it refuses", async () => {
    const { log, lines } = readableLog();
    const settings = { place: parseRedisPlace(server.url), authority: undefined };
    const metrics = { connected: () => undefined, ran: () => undefined };
    const openAndAsk = async () => {
      const opened = await openRedis({ settings, applicationName: "contract", metrics, log });
      await eventually(() => answers(opened));
      await opened.close();
    };
    const wrong = () => lines.filter(({ msg }) => msg === "Redis drops data when its memory is full");
    await openAndAsk();
    expect(wrong()).to.deep.equal([]);
    await server.client.config("SET", "maxmemory-policy", "allkeys-lru");
    try {
      await openAndAsk();
    } finally {
      await server.client.config("SET", "maxmemory-policy", "noeviction");
    }
    expect(wrong().map(({ detail }) => detail)).to.deep.equal([
      "maxmemory-policy is allkeys-lru, but must be noeviction",
    ]);
  });

  it("is refused for a database that the server does not have, rather than using another one", async () => {
    const other = await openSharedRedis(`${server.url}/16`, { refused: true });
    expect(await rejectionOf(echo(other.redis[0]))).to.be.instanceOf(RedisUnavailable);
    await other.close();
  });

  it("is refused for a database that its user may not select, rather than using another one", async () => {
    await server.client.acl("SETUSER", "bound", "on", ">pass", "~*", "+@all", "-select");
    const other = await openSharedRedis(`redis://bound:pass@127.0.0.1:${server.port}/1`, { refused: true });
    expect(await rejectionOf(echo(other.redis[0]))).to.be.instanceOf(RedisUnavailable);
    await other.close();
  });

  it("accepts over TLS only a server that our authority has certified", async () => {
    const { port, authority, another } = await startSecure();
    const url = `rediss://${server.url.replace(/.*(:.*@).*/, "$1")}localhost:${port}`;
    const trusted = await openSharedRedis(url, { authority });
    expect(await echo(trusted.redis[0])).to.equal("a");
    const other = await openSharedRedis(url, { authority: another, refused: true });
    expect(await rejectionOf(echo(other.redis[0]))).to.be.instanceOf(RedisUnavailable);
    await Promise.all([trusted.close(), other.close()]);
  });

  it("survives a handshake given up with a server whose certificate is refused as well", async () => {
    const { port, another } = await startSecure();
    const late = await openLateWay(port);
    const place = parseRedisPlace(`rediss://localhost:${late.port}`);
    const client = connectRedis({ place, authority: another }, "contract");
    const errors: Error[] = [];
    client.on("error", (error) => errors.push(error));
    const ended = new Promise((resolve) => client.once("end", resolve));
    await late.heard;
    client.disconnect();
    await ended;
    late.close();
    expect(errors.map(({ message }) => message)).to.deep.equal([
      "self-signed certificate in certificate chain",
    ]);
  });

  it("survives the same with a Sentinel that does not answer in time", async () => {
    const { port, another } = await startSecure();
    const late = await openLateWay(port);
    const place = parseRedisPlace(`rediss+sentinel://localhost:${late.port}/primary`);
    const client = connectRedis({ place, authority: another }, "contract");
    const errors: string[] = [];
    client.on("error", ({ message }: Error) => errors.push(message));
    await late.heard;
    await eventually(() => Promise.resolve(errors.length > 1));
    const ended = new Promise((resolve) => client.once("end", resolve));
    client.disconnect();
    await ended;
    late.close();
    for (const error of errors) expect(error).to.include("All sentinels are unreachable");
  });

  it("refuses commands once it is closed", async () => {
    const closing = await openSharedRedis(server.url);
    await echo(closing.redis[0]);
    await closing.close();
    expect(await rejectionOf(echo(closing.redis[0]))).to.be.instanceOf(RedisUnavailable);
  });
});

describe("Connection to Redis behind Sentinels", function connectionBehindSentinels() {
  this.timeout(240_000);
  let group: RedisSentinels;
  let silent: CuttableTunnel;
  let shared: SharedRedis;
  before(async () => {
    group = await startRedisSentinels();
    silent = await openTunnel(group.primary.port);
    silent.stall();
    shared = await openSharedRedis(group.url.replace("@", `@127.0.0.1:${silent.port},`));
  });
  after(async () => {
    await shared?.close();
    await silent?.cut();
    await group?.stop();
  });

  it("follows a failover, even when the first Sentinel that it asks is silent", async () => {
    const answered = () => Promise.all(shared.redis.map(answers));
    await eventually(async () => !(await answered()).includes(false));
    await group.primary.kill();
    await eventually(async () => !(await answered()).includes(true));
    await eventually(async () => !(await answered()).includes(false), FAILOVER_LIMIT_MILLISECONDS);
  });
});

/** A Cluster of one node, which tells everybody its own address. */
async function startSmallCluster(): Promise<RedisServer> {
  const lines = ["cluster-enabled yes", "cluster-announce-ip 127.0.0.1", `cluster-port ${await freePort()}`];
  const server = await startRedis(lines);
  await server.client.call("CLUSTER", "ADDSLOTSRANGE", 0, 16_383);
  return server;
}

describe("Connection to a Cluster of Redis", function connectionToCluster() {
  this.timeout(120_000);

  it("asks the hosts of its URL again when all nodes have changed their addresses", async () => {
    const [former, later] = await Promise.all([startSmallCluster(), startSmallCluster()]);
    const way = await openTunnel(former.port);
    const url = former.url.replace(/^redis:(.*):\d+$/, `redis+cluster:$1:${way.port}`);
    const shared = await openSharedRedis(url);
    try {
      way.lead(later.port);
      await former.kill();
      await eventually(async () => !(await answers(shared.redis[0])));
      await eventually(() => answers(shared.redis[0]));
    } finally {
      await shared.close();
      await way.cut();
      await Promise.all([former.stop(), later.stop()]);
    }
  });
});

/** What is put under many keys, so that each node has some. */
const KEYS = Array.from({ length: 30 }, (_, index) => `{${index}}`);
const KEEP = redisScript("keep", "redis.call('SET', KEYS[1], ARGV[1]) return redis.call('GET', KEYS[1])");
const keepAll = (redis: Redis) =>
  Promise.all(KEYS.map((key) => redis.run(KEEP, { keys: [key], values: [key] })));

const SECURE_FORMS = {
  "a Cluster": () => startRedisCluster({ isSecure: true }),
  "the servers that Sentinels name": () => startRedisSentinels({ isSecure: true }),
};
for (const [form, start] of Object.entries(SECURE_FORMS))
  describe(`Connection over TLS to ${form}`, function connectionOverTls() {
    this.timeout(240_000);
    let started: { readonly url: string; stop(): Promise<void> };
    before(async () => {
      started = await start();
    });
    after(() => started?.stop());

    it("accepts servers that our authority has certified", async () => {
      const { caFile } = await testCertificates();
      const shared = await openSharedRedis(started.url, { authority: readFileSync(caFile, "utf8") });
      expect(await keepAll(shared.redis[0])).to.deep.equal(KEYS);
      await shared.close();
    });

    it("accepts no other servers", async () => {
      const { privateCaFile } = await testCertificates();
      const authority = readFileSync(privateCaFile, "utf8");
      const shared = await openSharedRedis(started.url, { authority, refused: true });
      expect(await rejectionOf(echo(shared.redis[0]))).to.be.instanceOf(RedisUnavailable);
      await shared.close();
    });
  });

describe("Connection over TLS behind Sentinels", function secureBehindSentinels() {
  this.timeout(240_000);

  it("follows a failover", async () => {
    const group = await startRedisSentinels({ isSecure: true });
    const { caFile } = await testCertificates();
    const shared = await openSharedRedis(group.url, { authority: readFileSync(caFile, "utf8") });
    await group.primary.kill();
    await eventually(async () => !(await answers(shared.redis[0])));
    await eventually(() => answers(shared.redis[0]), FAILOVER_LIMIT_MILLISECONDS);
    await shared.close();
    await group.stop();
  });
});
