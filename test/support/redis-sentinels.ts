import { eventually } from "./eventually.ts";
import { type RedisServer, startRedis } from "./redis-servers.ts";

const GROUP = "cobs";
const SENTINELS = 3;
const QUORUM = "2";
/** What a busy machine keeps waiting is not away: nobody wants a failover then. */
const DOWN_AFTER_MILLISECONDS = 3_000;
const READY_LIMIT_MILLISECONDS = 45_000;

/** A Sentinel whose timers are late on a busy machine does nothing for half a minute. */
export const FAILOVER_LIMIT_MILLISECONDS = 60_000;

/** A primary with one replica, and three Sentinels that watch them. */
export interface RedisSentinels {
  readonly url: string;
  readonly primary: RedisServer;
  readonly replica: RedisServer;
  stop(): Promise<void>;
}

/** Starts them, and waits until the replica follows and the Sentinels know of it and of each other. */
export async function startRedisSentinels(): Promise<RedisSentinels> {
  const primary = await startRedis(["repl-diskless-sync-delay 0"]);
  const replica = await startRedis([`replicaof 127.0.0.1 ${primary.port}`]);
  const sentinels = await Promise.all(Array.from({ length: SENTINELS }, () => startRedis([], "sentinel")));
  const { username, password } = new URL(primary.url);
  for (const sentinel of sentinels) await watch(sentinel, primary, decodeURIComponent(password));
  const know = async () => (await Promise.all(sentinels.map(knowsAll))).every(Boolean);
  await eventually(know, READY_LIMIT_MILLISECONDS);
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(",");
  return {
    url: `redis+sentinel://${username}:${password}@${hosts}/${GROUP}`,
    primary,
    replica,
    stop: async () => {
      await Promise.all([...sentinels, replica, primary].map((server) => server.stop()));
    },
  };
}

async function watch({ client }: RedisServer, primary: RedisServer, password: string): Promise<void> {
  await client.call("SENTINEL", "MONITOR", GROUP, "127.0.0.1", primary.port, QUORUM);
  const settings = [
    ["auth-pass", password],
    ["down-after-milliseconds", String(DOWN_AFTER_MILLISECONDS)],
    ["failover-timeout", "2000"],
  ];
  for (const setting of settings) await client.call("SENTINEL", "SET", GROUP, ...setting);
}

async function knowsAll({ client }: RedisServer): Promise<boolean> {
  const told = String(await client.info("sentinel"));
  return told.includes("slaves=1") && told.includes(`sentinels=${SENTINELS}`);
}
