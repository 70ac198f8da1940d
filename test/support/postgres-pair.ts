import { appendFile, cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { clusterLayout } from "../../packages/sandbox/src/postgres/cluster-layout.ts";
import { ensureDatabase } from "../../packages/sandbox/src/postgres/ensure-database-postgres.ts";
import type { PostgresServer } from "../../packages/sandbox/src/postgres/postgres-server.ts";
import { startPostgres } from "../../packages/sandbox/src/postgres/start-postgres.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";
import { EMBEDDED, type PostgresEngine } from "./postgres-engines.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

/** One server of the pair, as controlled by a person with a shell on its machine. */
export interface PairedServer {
  readonly port: number;
  /** Stops it: `fast` aborts running statements, `immediate` is a crash in all but name. */
  stop(how: "fast" | "immediate"): Promise<void>;
  start(): Promise<void>;
  /** Stops it from responding, while every connection stays open. */
  hang(): Promise<void>;
  resume(): Promise<void>;
  /** Promotes it to primary. */
  promote(): Promise<void>;
  /** Runs a statement as the superuser. */
  sql<Row extends pg.QueryResultRow>(text: string, database?: string): Promise<readonly Row[]>;
}

/** A primary, and a standby for which every commit waits. */
export interface PostgresPair {
  readonly primary: PairedServer;
  readonly standby: PairedServer;
  /** URL of each database with both hosts, as a service is configured with it. */
  readonly urls: readonly string[];
  /** URL of each database with the first server alone. */
  readonly single: readonly string[];
  close(): Promise<void>;
}

const STANDBY_NAME = "second";
const READY_LIMIT_MILLISECONDS = 45_000;

/** Starts both servers with these databases, each with a role of the same name. */
export async function startPostgresPair(
  databases: readonly string[],
  engine: PostgresEngine = EMBEDDED,
): Promise<PostgresPair> {
  const folder = makeTemporaryFolder("cobs-pair-");
  const [first, second] = [join(folder, "first"), join(folder, "second")];
  const primary = await openServer(first, engine);
  const single: string[] = [];
  for (const name of databases)
    single.push(
      await ensureDatabase(primary.server(), { name, role: name, password: `password of ${name}` }),
    );
  await primary.stop("fast");
  await cp(first, second, { recursive: true, preserveTimestamps: true });
  await follow(second, primary);
  // Only now: without a standby nothing would be committed.
  await configure(first, [`synchronous_standby_names = 'ANY 1 (${STANDBY_NAME})'`]);
  await primary.start();
  const standby = await openServer(second, engine);
  await eventually(async () => {
    const text = "SELECT FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')";
    // A busy machine may not accept the connection in time; then the query is repeated.
    return (await primary.sql(text).catch(() => [])).length === 1;
  }, READY_LIMIT_MILLISECONDS);
  return {
    primary,
    standby,
    single,
    urls: single.map((url) => withHosts(url, [primary.port, standby.port])),
    close: async () => {
      await Promise.all([primary.resume(), standby.resume()]);
      await Promise.all([primary.stop("immediate"), standby.stop("immediate")]);
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

function withHosts(url: string, ports: readonly number[]): string {
  const { port } = new URL(url);
  const hosts = ports.map((each) => `127.0.0.1:${each}`).join(",");
  return `${url.replace(`127.0.0.1:${port}`, hosts)}?target_session_attrs=read-write`;
}

async function configure(directory: string, lines: readonly string[]): Promise<void> {
  await appendFile(join(clusterLayout(directory).data, "postgresql.auto.conf"), `${lines.join("\n")}\n`);
}

/** Configures the copy of a server as a standby of `primary`. */
async function follow(directory: string, primary: OpenedServer): Promise<void> {
  const { data, password } = clusterLayout(directory);
  const secret = await readFile(password, "utf8");
  const connection = `host=127.0.0.1 port=${primary.port} user=postgres password=${secret} application_name=${STANDBY_NAME}`;
  await configure(directory, [`primary_conninfo = '${connection}'`, "wal_retrieve_retry_interval = 200ms"]);
  await writeFile(join(data, "standby.signal"), "");
}

interface OpenedServer extends PairedServer {
  server(): PostgresServer;
}

/**
 * Functions that end the servers with this process. One exit listener runs all of them, because Node.js warns of too many
 * listeners.
 */
const endings: (() => void)[] = [];
process.once("exit", () => {
  for (const end of endings) end();
});

async function openServer(directory: string, engine: PostgresEngine): Promise<OpenedServer> {
  const binaries = await engine.binaries();
  const port = await freePort();
  const launch = () => startPostgres({ directory, port, durability: "full", binaries });
  let current = await launch();
  const hung = new Set<number>();
  const resumeAll = () => {
    for (const pid of hung) signalOrNothing(pid, "SIGCONT");
    hung.clear();
  };
  const hangProcess = (pid: number) => {
    signalOrNothing(pid, "SIGSTOP");
    hung.add(pid);
  };
  // A hung server reacts to no other signal.
  endings.push(() => {
    resumeAll();
    signalOrNothing(current.pid, "SIGQUIT");
  });
  return {
    port,
    server: () => current,
    stop: async (how) => {
      signalOrNothing(current.pid, how === "fast" ? "SIGINT" : "SIGQUIT");
      await current.ended;
    },
    start: async () => {
      current = await launch();
    },
    hang: async () => {
      // The postmaster first, so that nobody connects meanwhile.
      hangProcess(current.pid);
      for (const pid of await childrenOf(current.pid)) hangProcess(pid);
    },
    resume: async () => resumeAll(),
    promote: async () => {
      await runAs(current.superuserUrl(), "SELECT pg_promote()");
    },
    sql: (text, database) => runAs(current.superuserUrl(database), text),
  };
}

async function runAs<Row extends pg.QueryResultRow>(url: string, text: string): Promise<readonly Row[]> {
  const limits = { connectionTimeoutMillis: 5_000, query_timeout: 10_000 };
  const client = new pg.Client({ connectionString: url, ...limits });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(text)).rows;
  } finally {
    // A hung server does not answer the farewell, so nobody waits for it.
    void client.end().catch(() => undefined);
  }
}

function signalOrNothing(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/** Finds child processes on Linux; elsewhere it finds none, and only the postmaster hangs. */
async function childrenOf(parent: number): Promise<readonly number[]> {
  const names = await readdir("/proc").catch(() => []);
  const pids = names.map(Number).filter((pid) => pid > 0);
  const parents = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
      return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    }),
  );
  return pids.filter((_, index) => parents[index] === parent);
}
