import { createSecretKey, randomBytes } from "node:crypto";
import { type Database, openRedis, type Redis, redisScript } from "@cobs/service-edge";
import { createEphemeralEpochs } from "../../packages/auth/src/ephemeral/ephemeral-epoch-postgres.ts";
import { createFencedRedis, type FencedRedis } from "../../packages/auth/src/ephemeral/fenced-redis.ts";
import { parseRedisPlace } from "../../packages/service-edge/src/redis/redis-place.ts";
import { twoProcesses } from "../contracts/auth-database.ts";
import { eventually } from "../support/eventually.ts";
import { readableLog } from "../support/readable-log.ts";

/** One Redis and one database, as two processes have them. */
export interface SharedRedis {
  readonly redis: readonly [Redis, Redis];
  readonly fenced: readonly [FencedRedis, FencedRedis];
  readonly databases: readonly [Database, Database];
  /** Redis as a process has it that starts now, on the connections of the first. */
  startLate(): FencedRedis;
  /** How many epochs have begun, whichever process made them. */
  turns(): number;
  close(): Promise<void>;
}

/** With which both processes mark what they keep. */
export const MARKS = { key: createSecretKey(randomBytes(32)), onForeign: () => undefined };
/** The same after the sealing key has changed. */
export const LATER_MARKS = { ...MARKS, key: createSecretKey(randomBytes(32)) };

const NO_METRICS = { connected: () => undefined, ran: () => undefined };
const ECHO = redisScript("echo", "return ARGV[1]");

/** Gives "a" when Redis answers, and rejects as any script does. */
export const echo = (redis: Redis) => redis.run(ECHO, { keys: [], values: ["a"] });

export const answers = (redis: Redis) =>
  echo(redis).then(
    () => true,
    () => false,
  );

/**
 * Opens what two processes would, with the URL that they are configured with, and waits until both are let in: on a busy
 * machine they go on without before that. Who is `refused` is not waited for.
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
