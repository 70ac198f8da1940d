/**
 * Redis in trouble: stopped, hung, emptied, restored from an old copy, and failed over behind Sentinels. It holds sessions and
 * interactions, so pages may ask to try again, but callers with a token notice nothing. Contents from before Redis was emptied,
 * or from an old copy, are not believed: a PSU whose visit had begun begins again.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { startRedisSentinels } from "../../../test/support/redis-sentinels.ts";
import { type RedisServer, startRedis } from "../../../test/support/redis-servers.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { plan } from "../fault-case.ts";
import type { CallKind } from "../load/tally.ts";
import { beginVisits } from "../scene/begun-visits.ts";
import { type FaultBank, openFaultBank } from "../scene/fault-bank.ts";
import { type Trouble, underLoad } from "../trouble.ts";

interface Scene {
  readonly bank: FaultBank;
  readonly redis: RedisServer;
  /** Folder of an old copy of it. */
  readonly folder: string;
  close(): Promise<void>;
}

const AWAY_MILLISECONDS = 10_000;
const MOMENT_MILLISECONDS = 1_000;
const FAILOVER_MILLISECONDS = 6_000;
const WITHOUT_REDIS: readonly CallKind[] = ["reads", "tokens", "writes", "revocations"];
const copyOf = ({ folder }: Scene) => join(folder, "copy.rdb");

const TROUBLES: readonly Trouble<Scene>[] = [
  {
    name: "redis/stopped",
    begin: ({ redis }) => redis.kill(),
    milliseconds: AWAY_MILLISECONDS,
    mend: ({ redis }) => redis.start(),
    goesOn: WITHOUT_REDIS,
  },
  {
    name: "redis/emptied",
    bring: async ({ bank }) => (await beginVisits(bank)).goOn,
    begin: async ({ redis }) => void (await redis.client.flushall()),
    milliseconds: MOMENT_MILLISECONDS,
    mend: async () => undefined,
    goesOn: WITHOUT_REDIS,
  },
  {
    name: "redis/hung",
    begin: async ({ redis }) => redis.pause(),
    milliseconds: AWAY_MILLISECONDS,
    mend: async ({ redis }) => redis.resume(),
    goesOn: WITHOUT_REDIS,
  },
  {
    name: "redis/restored-from-an-old-copy",
    bring: async (scene) => {
      const visits = await beginVisits(scene.bank);
      await scene.redis.save(copyOf(scene));
      await visits.end();
      return visits.goOn;
    },
    begin: ({ redis }) => redis.kill(),
    milliseconds: MOMENT_MILLISECONDS,
    mend: async (scene) => scene.redis.start(copyOf(scene)),
    goesOn: WITHOUT_REDIS,
  },
];

const SENTINEL_TROUBLES: readonly Trouble<Scene>[] = [
  {
    name: "redis/failed-over-by-sentinels",
    begin: ({ redis }) => redis.kill(),
    milliseconds: FAILOVER_MILLISECONDS,
    mend: async () => undefined,
    goesOn: WITHOUT_REDIS,
  },
];

/** A Redis as it is started; `redis` is the server that is the primary at first. */
interface Started {
  readonly url: string;
  readonly redis: RedisServer;
  stop(): Promise<void>;
}

async function startAlone(): Promise<Started> {
  const redis = await startRedis();
  return { url: redis.url, redis, stop: () => redis.stop() };
}

async function startBehindSentinels(): Promise<Started> {
  const group = await startRedisSentinels();
  return { url: group.url, redis: group.primary, stop: () => group.stop() };
}

function planOn(start: () => Promise<Started>, troubles: readonly Trouble<Scene>[]) {
  return plan<Scene>({
    open: async (parts) => {
      const started = await start();
      const folder = makeTemporaryFolder("cobs-copies-");
      const bank = await openFaultBank(parts, { redis: started.url });
      const close = async () => {
        await bank.close();
        await started.stop();
        await rm(folder, { recursive: true, force: true });
      };
      return { bank, redis: started.redis, folder, close };
    },
    close: (scene) => scene.close(),
    cases: troubles.map(underLoad),
  });
}

export const REDIS = planOn(startAlone, TROUBLES);
export const REDIS_BEHIND_SENTINELS = planOn(startBehindSentinels, SENTINEL_TROUBLES);
