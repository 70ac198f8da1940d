import { expect } from "chai";
import type { Redis as Client } from "ioredis";
import { createEphemeralStoreInRedis } from "../../packages/auth/src/ephemeral/ephemeral-store-redis.ts";
import { createRateLimitsInRedis } from "../../packages/auth/src/limits/rate-limit-store-redis.ts";
import { describeEphemeralStore, describeMarkedStore } from "../contracts/ephemeral-store-contract.ts";
import { describeRateLimitStore } from "../contracts/rate-limit-store-contract.ts";
import { startRedisCluster } from "../support/redis-cluster.ts";
import { startRedisSentinels } from "../support/redis-sentinels.ts";
import { startRedis } from "../support/redis-servers.ts";
import { keysAndValues } from "./keys-and-values.ts";
import { LATER_MARKS, MARKS, openSharedRedis } from "./open-shared-redis.ts";

const HOUR_SECONDS = 3_600;

/** A Redis in one of its forms, with its servers as the test reaches them. */
interface Started {
  readonly url: string;
  readonly clients: readonly Client[];
  stop(): Promise<void>;
}

const FORMS: Readonly<Record<string, () => Promise<Started>>> = {
  "in Redis": async () => {
    const server = await startRedis();
    return { url: server.url, clients: [server.client], stop: () => server.stop() };
  },
  "in a Cluster of Redis": async () => {
    const cluster = await startRedisCluster();
    return { ...cluster, clients: cluster.masters.map(({ client }) => client) };
  },
  "in Redis behind Sentinels": async () => {
    const group = await startRedisSentinels();
    return { ...group, clients: [group.primary.client] };
  },
};

const keptIn = async (clients: readonly Client[], pattern?: string) =>
  (await Promise.all(clients.map((client) => keysAndValues(client, pattern)))).flat();

/** Writes into every bucket that it is empty an hour later. */
async function putBucketsAhead(clients: readonly Client[]): Promise<void> {
  const ahead = async (client: Client, key: string) => {
    const empty = Number(await client.get(key)) + HOUR_SECONDS * 1_000_000;
    await client.set(key, empty, "EX", HOUR_SECONDS);
  };
  const keysOf = async (client: Client) => client.keys("*{limits}*");
  await Promise.all(
    clients.map(async (client) => Promise.all((await keysOf(client)).map((key) => ahead(client, key)))),
  );
}

for (const [where, start] of Object.entries(FORMS)) {
  const open = async () => {
    const started = await start();
    const shared = await openSharedRedis(started.url);
    const close = async () => {
      await shared.close();
      await started.stop();
    };
    return { started, shared, close };
  };
  const openStore = async () => {
    const { started, shared, close } = await open();
    return {
      one: createEphemeralStoreInRedis(shared.fenced[0], MARKS),
      other: createEphemeralStoreInRedis(shared.fenced[1], MARKS),
      kept: async () => (await keptIn(started.clients)).join(),
      close,
      later: [
        createEphemeralStoreInRedis(shared.fenced[0], LATER_MARKS),
        createEphemeralStoreInRedis(shared.fenced[1], LATER_MARKS),
      ] as const,
    };
  };
  describeEphemeralStore(where, openStore);
  describeMarkedStore(where, openStore);
  describeRateLimitStore(where, async () => {
    const { started, shared, close } = await open();
    const buckets = () => keptIn(started.clients, "*{limits}*");
    return {
      one: createRateLimitsInRedis(shared.redis[0]),
      other: createRateLimitsInRedis(shared.redis[1]),
      // They go by themselves.
      tidy: async () => undefined,
      clear: async () => {
        await Promise.all(started.clients.map((client) => client.flushall()));
      },
      putClockBack: () => putBucketsAhead(started.clients),
      count: async () => (await buckets()).length / 2,
      kept: async () => (await buckets()).join(),
      close,
    };
  });
}

describe("Bucket in Redis", () => {
  it("expires when it is empty, a time that is stored to the microsecond", async () => {
    const server = await startRedis();
    const shared = await openSharedRedis(server.url);
    await createRateLimitsInRedis(shared.redis[0]).pour([{ name: "one a minute", perMinute: 1 }]);
    const [key = ""] = await server.client.keys("*{limits}*");
    const [empty, left, [seconds, microseconds]] = await Promise.all([
      server.client.get(key),
      server.client.pttl(key),
      server.client.time(),
    ]);
    await shared.close();
    await server.stop();
    expect(empty).to.match(/^\d{16}$/);
    const until = (Number(empty) - Number(seconds) * 1_000_000 - Number(microseconds)) / 1_000;
    expect(left - until).to.be.within(-100, 100);
  });
});
