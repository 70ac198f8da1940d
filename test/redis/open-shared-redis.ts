import { type Database, openRedis, type Redis } from "@cobs/service-edge";
import { createEphemeralEpochs } from "../../packages/auth/src/ephemeral/ephemeral-epoch-postgres.ts";
import { createFencedRedis, type FencedRedis } from "../../packages/auth/src/ephemeral/fenced-redis.ts";
import { parseRedisPlace } from "../../packages/service-edge/src/redis/redis-place.ts";
import { twoProcesses } from "../contracts/auth-database.ts";
import { readableLog } from "../support/test-listener.ts";

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

const NO_METRICS = { connected: () => undefined, ran: () => undefined };

/** Opens what two processes would, with the URL that they are configured with. */
export async function openSharedRedis(url: string, authority?: string): Promise<SharedRedis> {
  const { log } = readableLog();
  const databases = await twoProcesses();
  let turns = 0;
  const settings = { place: parseRedisPlace(url), authority };
  const open = () => openRedis({ settings, applicationName: "contract", metrics: NO_METRICS, log });
  const redis = [await open(), await open()] as const;
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
    close: async () => {
      await Promise.all([...redis, ...databases].map((each) => each.close()));
    },
  };
}
