import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";
import { type RedisServer, secureLines, startRedis } from "./redis-servers.ts";

const GROUP = "cobs";
const SENTINELS = 3;
const QUORUM = "2";
/** Generous, because a busy machine delays a server that is not down, and must not cause a failover. */
const DOWN_AFTER_MILLISECONDS = 3_000;
const READY_LIMIT_MILLISECONDS = 45_000;

/** Generous, because a Sentinel whose timers are late on a busy machine pauses for half a minute. */
export const FAILOVER_LIMIT_MILLISECONDS = 60_000;

/** A primary with one replica, and three Sentinels that watch them. */
export interface RedisSentinels {
  readonly url: string;
  readonly primary: RedisServer;
  readonly replica: RedisServer;
  stop(): Promise<void>;
}

/** Starts them, and waits until the replica follows and the Sentinels know of it and of each other. */
export async function startRedisSentinels({ isSecure = false } = {}): Promise<RedisSentinels> {
  const start = isSecure ? startSecure : startPlain;
  const primary = await start(["repl-diskless-sync-delay 0"]);
  const replica = await start([`replicaof 127.0.0.1 ${primary.port}`]);
  const sentinels = await Promise.all(Array.from({ length: SENTINELS }, () => start([], "sentinel")));
  const { username, password } = new URL(primary.server.url);
  for (const { server } of sentinels) await watch(server, primary.port, decodeURIComponent(password));
  const know = async () =>
    (await Promise.all(sentinels.map(({ server }) => knowsAll(server)))).every(Boolean);
  await eventually(know, READY_LIMIT_MILLISECONDS);
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(",");
  return {
    url: `${isSecure ? "rediss" : "redis"}+sentinel://${username}:${password}@${hosts}/${GROUP}`,
    primary: primary.server,
    replica: replica.server,
    stop: async () => {
      await Promise.all([...sentinels, replica, primary].map(({ server }) => server.stop()));
    },
  };
}

/** Starts a server or Sentinel that uses TLS for everything, and returns it with its TLS port. */
async function startSecure(lines: readonly string[], kind?: "sentinel") {
  const port = await freePort();
  const secure = [...(await secureLines(port)), "tls-replication yes"];
  return { server: await startRedis([...lines, ...secure], kind), port };
}

async function startPlain(lines: readonly string[], kind?: "sentinel") {
  const server = await startRedis(lines, kind);
  return { server, port: server.port };
}

async function watch({ client }: RedisServer, primaryPort: number, password: string): Promise<void> {
  await client.call("SENTINEL", "MONITOR", GROUP, "127.0.0.1", primaryPort, QUORUM);
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
