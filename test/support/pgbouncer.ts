import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { spawnWithWatchdog } from "../../packages/sandbox/src/processes/spawn-with-watchdog.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

/** A PgBouncer in transaction mode in front of one server. */
export interface PgBouncer {
  /** Rewrites a URL so that it goes through this PgBouncer. */
  through(url: string): string;
  /** Ends it at once, with every connection through it. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const GUIDE = resolve(import.meta.dirname, "../../packages/service-edge/OPERATING.md");
const SINCE = [1, 21] as const;
const READY_LIMIT_MILLISECONDS = 10_000;

/** Refuses a version before 1.21, which does not keep named statements. */
async function requireRecent(program: string): Promise<void> {
  const { stdout } = await promisify(execFile)(program, ["--version"]);
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(stdout)?.slice(1) ?? []).map(Number);
  if (major < SINCE[0] || (major === SINCE[0] && minor < SINCE[1]))
    throw new Error(`${program} is ${stdout.split("\n")[0]}; it must be ${SINCE.join(".")} or newer`);
}

/** The settings that the documentation requires. */
function documentedSettings(): readonly string[] {
  const found = /```ini\n(pool_mode[^`]+)```/.exec(readFileSync(GUIDE, "utf8"))?.[1];
  if (found === undefined) throw new Error(`${GUIDE} has no settings of PgBouncer`);
  return found.trim().split("\n");
}

function configuration(port: number, folder: string, urls: readonly URL[]): string {
  const databases = urls.map(({ hostname, port: own, pathname }) => {
    const name = pathname.slice(1);
    return `${name} = host=${hostname} port=${own} dbname=${name}`;
  });
  return [
    "[databases]",
    ...databases,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = scram-sha-256",
    `auth_file = ${join(folder, "users.txt")}`,
    `logfile = ${join(folder, "pgbouncer.log")}`,
    ...documentedSettings(),
    "default_pool_size = 8",
    "query_wait_timeout = 2",
    ...(process.getuid?.() === 0 ? ["user = nobody"] : []),
    "",
  ].join("\n");
}

/** Starts a PgBouncer in front of these databases, which are all on one server. */
export async function startPgBouncer(program: string, urls: readonly string[]): Promise<PgBouncer> {
  await requireRecent(program);
  const folder = makeTemporaryFolder("cobs-pgbouncer-");
  await chmod(folder, 0o777);
  const [port, parsed] = [await freePort(), urls.map((url) => new URL(url))];
  const users = parsed.map(({ username, password }) => `"${username}" "${decodeURIComponent(password)}"`);
  await writeFile(join(folder, "users.txt"), `${users.join("\n")}\n`);
  await writeFile(join(folder, "pgbouncer.ini"), configuration(port, folder, parsed));
  const spawnOne = () =>
    spawnWithWatchdog(
      {
        command: [program, join(folder, "pgbouncer.ini")],
        cwd: folder,
        env: { PATH: "/usr/bin:/bin" },
        stdio: ["ignore", "ignore", "ignore"],
      },
      { first: "SIGTERM", last: "SIGKILL", graceSeconds: 2 },
    );
  let child = spawnOne();
  const ready = () => eventually(() => accepts(port), READY_LIMIT_MILLISECONDS);
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  await ready();
  return {
    through: (url) => url.replace(/@[^/]+\//, `@127.0.0.1:${port}/`).replace(/\?.*$/, ""),
    kill,
    start: async () => {
      child = spawnOne();
      await ready();
    },
    stop: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
