import { createSecretKey, randomBytes } from "node:crypto";
import { type Database, openRedis, type Redis, redisScript } from "@cobs/service-edge";
import { createEphemeralEpochs } from "../../packages/auth/src/ephemeral/ephemeral-epoch-postgres.ts";
import { createFencedRedis, type FencedRedis } from "../../packages/auth/src/ephemeral/fenced-redis.ts";
import { parseRedisPlace } from "../../packages/service-edge/src/redis/redis-place.ts";
import { twoProcesses } from "../contracts/auth-database.ts";
import { eventually } from "../support/eventually.ts";
import { readableLog } from "../support/readable-log.ts";

/** One Redis and one database, as two processes see them. */
export interface SharedRedis {
  readonly redis: readonly [Redis, Redis];
  readonly fenced: readonly [FencedRedis, FencedRedis];
  readonly databases: readonly [Database, Database];
  /** Redis as seen by a process that starts now, on the connections of the first. */
  startLate(): FencedRedis;
  /** Number of epochs that have begun, whichever process started them. */
  turns(): number;
  close(): Promise<void>;
}

/** Marks that both processes put on their records. */
export const MARKS = { key: createSecretKey(randomBytes(32)), onForeign: () => undefined };
/** Marks after a change of the sealing key. */
export const LATER_MARKS = { ...MARKS, key: createSecretKey(randomBytes(32)) };

const NO_METRICS = { connected: () => undefined, ran: () => undefined };
const ECHO = redisScript("echo", "return ARGV[1]");

/** Returns "a" when Redis answers, and rejects like any script. */
export const echo = (redis: Redis) => redis.run(ECHO, { keys: [], values: ["a"] });

export const answers = (redis: Redis) =>
  echo(redis).then(
    () => true,
    () => false,
  );

/**
 * Opens what two processes would, with the URL of their configuration, and waits until both are admitted: on a busy machine
 * they continue before that. Does not wait for a `refused` process.
 */
export async function openSharedRedis(
  url: string,
  { authority, refused = false }: { readonly authority?: string; readonly refused?: boolean } = {},
): Promise<SharedRedis> {
  const { log } = readableLog();
  const databases = await twoProcesses();
  let turns = 0;
  const settings = { place: parseRedisPlace(url), authority };
  const open = () => openRedis({ settings, applicationName: "contract", metrics: NO_METRICS, log });
  const redis = [await open(), await open()] as const;
  const close = async () => {
    await Promise.all([...redis, ...databases].map((each) => each.close()));
  };
  const areLetIn = async () => (await Promise.all(redis.map(answers))).every(Boolean);
  if (!refused)
    await eventually(areLetIn).catch(async (error) => {
      await close();
      throw error;
    });
  const fence = (index: 0 | 1) =>
    createFencedRedis({
      redis: redis[index],
      epochs: createEphemeralEpochs(databases[index]),
      onTurn: () => {
        turns += 1;
      },
      log,
    });
  return {
    redis,
    fenced: [fence(0), fence(1)],
    databases,
    startLate: () => fence(0),
    turns: () => turns,
    close,
  };
}
