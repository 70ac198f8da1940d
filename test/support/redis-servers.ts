import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { spawnWithWatchdog } from "../../packages/sandbox/src/processes/spawn-with-watchdog.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";
import { testCertificates } from "./test-certificates.ts";

/** Path of Debian's Redis. */
const REDIS_SERVER = "/usr/bin/redis-server";
const READY_LIMIT_MILLISECONDS = 45_000;
const PASSWORD = "secret of the test";
const SERVER_LINES = ['save ""', "appendonly no", `requirepass "${PASSWORD}"`, `masterauth "${PASSWORD}"`];

/** A real Redis server on a port of loopback, in its own folder. */
export interface RedisServer {
  readonly port: number;
  /** URL with the password that it requires. */
  readonly url: string;
  /** A connection for the test itself. */
  readonly client: Redis;
  /** Writes a copy of everything to a file, as a backup does. */
  save(copy: string): Promise<void>;
  /** Kills it at once, like a fault. */
  kill(): Promise<void>;
  /** Stops it from responding, while its connections stay open. */
  pause(): void;
  resume(): void;
  /** Starts it again on its port; empty, unless a copy is restored. */
  start(copy?: string): Promise<void>;
  stop(): Promise<void>;
}

/** Configuration lines of a server that also listens over TLS, with a certificate of auth. */
export async function secureLines(port: number): Promise<readonly string[]> {
  const { server, caFile } = await testCertificates();
  const { certificateFile, keyFile } = server.auth;
  const pair = [`tls-cert-file ${certificateFile}`, `tls-key-file ${keyFile}`, `tls-ca-cert-file ${caFile}`];
  return [`tls-port ${port}`, ...pair, "tls-auth-clients no"];
}

/** Starts a server with these configuration lines besides the usual ones; a Sentinel keeps no data. */
export async function startRedis(
  lines: readonly string[] = [],
  kind: "server" | "sentinel" = "server",
): Promise<RedisServer> {
  if (!existsSync(REDIS_SERVER)) throw new Error(`${REDIS_SERVER} is missing: install redis-server`);
  const folder = makeTemporaryFolder("cobs-redis-");
  const port = await freePort();
  const client = new Redis({ port, password: PASSWORD, lazyConnect: true, retryStrategy: () => 20 });
  client.on("error", () => undefined);
  const access = kind === "server" ? SERVER_LINES : [];
  const configuration = ["bind 127.0.0.1", `port ${port}`, `dir ${folder}`, ...access, ...lines];
  writeFileSync(join(folder, "redis.conf"), `${configuration.join("\n")}\n`);
  let child: ChildProcess | undefined;
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    if (child === undefined || child.exitCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    // A paused process does not receive the signal otherwise.
    child.kill("SIGCONT");
    await gone;
    child = undefined;
  };
  const start = async (copy?: string) => {
    rmSync(join(folder, "dump.rdb"), { force: true });
    if (copy !== undefined) copyFileSync(copy, join(folder, "dump.rdb"));
    child = spawnRedis(folder, kind);
    await eventually(async () => (await client.ping().catch(() => "")) === "PONG", READY_LIMIT_MILLISECONDS);
  };
  const stop = async () => {
    client.disconnect();
    await end("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  };
  // After a failed start nothing keeps running.
  await start().catch(async (error) => {
    await stop();
    throw error;
  });
  return {
    port,
    url: `redis://:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`,
    client,
    save: async (copy) => {
      await client.save();
      copyFileSync(join(folder, "dump.rdb"), copy);
    },
    kill: () => end("SIGKILL"),
    pause: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
    start,
    stop,
  };
}

function spawnRedis(folder: string, kind: "server" | "sentinel"): ChildProcess {
  const mode = kind === "sentinel" ? ["--sentinel"] : [];
  return spawnWithWatchdog(
    {
      command: [REDIS_SERVER, join(folder, "redis.conf"), ...mode],
      cwd: folder,
      env: { PATH: "/usr/bin:/bin" },
      stdio: ["ignore", "ignore", "ignore"],
    },
    { first: "SIGTERM", last: "SIGKILL", graceSeconds: 2 },
  );
}
