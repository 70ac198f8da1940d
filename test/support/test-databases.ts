import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, readFileSync, statfsSync, writeFileSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { type DatabaseTimeLimits, migrateDatabase, Secret } from "@cobs/service-edge";
import pg from "pg";
import { clusterLayout } from "../../packages/sandbox/src/postgres/cluster-layout.ts";
import { ensureDatabase } from "../../packages/sandbox/src/postgres/ensure-database-postgres.ts";
import type { PostgresServer } from "../../packages/sandbox/src/postgres/postgres-server.ts";
import { startPostgres } from "../../packages/sandbox/src/postgres/start-postgres.ts";
import { isRunning } from "../../packages/sandbox/src/processes/process-identity.ts";
import { engineOfThisRun, type PostgresEngine } from "./postgres-engines.ts";
import { readableLog } from "./readable-log.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

/** For services in tests, which assert answers and not the speed of a shared machine. */
export const PATIENT: DatabaseTimeLimits = { connection: 20_000, statement: 20_000 };
export const PATIENT_LIMITS = { databaseTimeLimits: PATIENT, peerLimitMilliseconds: 12_000 };

// The server is private and its databases last one test: trusting every user name is quicker.
const BELIEVING = "host all all 127.0.0.1/32 trust\n";

const servers = new Map<PostgresEngine, Promise<PostgresServer>>();
const templates = new Map<string, Promise<string>>();

/**
 * The URL of a new, empty database with a role of its own, on a real server: the embedded one, or Debian's where the
 * run asks for it. One server of each engine serves a whole test run and ends with it; databases are never shared.
 */
export async function createTestDatabase(engine: PostgresEngine = engineOfThisRun()): Promise<string> {
  const name = newName();
  return ensureDatabase(await serverOf(engine), { name, role: name, password: randomUUID() });
}

/**
 * The URL of a new database that holds only the schema of these migrations: a copy of one that is migrated once per run. All
 * copies share a role; a service that starts on it finds nothing left to migrate.
 */
export async function createMigratedTestDatabase(migrations: string): Promise<string> {
  const template = templates.get(migrations) ?? createTemplate(migrations);
  templates.set(migrations, template);
  const url = new URL(await template);
  const name = newName();
  const role = url.username;
  // Twice as quick as copying through the log, and nothing here has to survive a crash.
  const copy = `CREATE DATABASE ${name} OWNER ${role} TEMPLATE ${url.pathname.slice(1)} STRATEGY FILE_COPY`;
  await asSuperuser(await serverOf(engineOfThisRun()), copy, `REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
  url.pathname = name;
  return url.href;
}

async function createTemplate(migrations: string): Promise<string> {
  const url = await createTestDatabase();
  await migrateDatabase({ url: new Secret(url), directory: migrations, log: readableLog().log });
  return url;
}

function newName(): string {
  return `test_${randomUUID().replaceAll("-", "")}`;
}

const superusers = new WeakMap<PostgresServer, pg.Pool>();

async function asSuperuser(server: PostgresServer, ...statements: readonly string[]): Promise<void> {
  // One connection per run: connecting takes longer than the statements, and an idle connection does not keep a process alive.
  const settings = { connectionString: server.superuserUrl(), max: 1, idleTimeoutMillis: 0 };
  const pool = superusers.get(server) ?? new pg.Pool({ ...settings, allowExitOnIdle: true });
  superusers.set(server, pool);
  for (const statement of statements) await pool.query(statement);
}

function serverOf(engine: PostgresEngine): Promise<PostgresServer> {
  const server = servers.get(engine) ?? startServer(engine);
  servers.set(engine, server);
  return server;
}

const MEMORY = "/dev/shm";
// Five times the peak size of the longest lane's databases.
const PLENTY_OF_OCTETS = 12 * 2 ** 30;

/** In memory if there is plenty: creating and removing some hundred thousand files keeps a disk busy for minutes. */
function parentOfDatabases(): string {
  if (freemem() < PLENTY_OF_OCTETS || !existsSync(MEMORY) || !mayHoldPrograms()) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize < PLENTY_OF_OCTETS ? tmpdir() : MEMORY;
}

/**
 * Whether programs can run from memory: PostgreSQL itself is copied there if its own folder is inaccessible, and a container
 * may mount memory without permission to execute.
 */
function mayHoldPrograms(): boolean {
  const mounts = readFileSync("/proc/self/mounts", "utf8").split("\n");
  const [, , , options = "noexec"] =
    mounts.findLast((each) => each.split(" ")[1] === MEMORY)?.split(" ") ?? [];
  return !options.split(",").includes("noexec");
}

/** Makes a folder that an unprivileged user can enter, as PostgreSQL may need when the tests run as root. */
export function makeDatabaseFolder(): string {
  const directory = makeTemporaryFolder("cobs-databases-", parentOfDatabases());
  chmodSync(directory, 0o711);
  return directory;
}

async function startServer(engine: PostgresEngine): Promise<PostgresServer> {
  const directory = makeDatabaseFolder();
  const binaries = await engine.binaries();
  const postgres = join(directory, "pg");
  const started = await startPostgres({ directory: postgres, durability: "none", binaries });
  started.unref();
  process.once("exit", () => {
    if (isRunning(started.pid)) process.kill(started.pid, "SIGQUIT");
  });
  writeFileSync(join(clusterLayout(postgres).data, "pg_hba.conf"), BELIEVING);
  await asSuperuser(started, "SELECT pg_reload_conf()");
  return started;
}

/** The URL of a new database in the pre-Unicode encoding of Central Europe, with its own role. */
export async function createLatinTestDatabase(): Promise<string> {
  const url = new URL(await createTestDatabase());
  const name = newName();
  const options = "TEMPLATE template0 ENCODING 'LATIN2' LOCALE 'C'";
  await asSuperuser(
    await serverOf(engineOfThisRun()),
    `CREATE DATABASE ${name} OWNER ${url.username} ${options}`,
  );
  url.pathname = name;
  return url.href;
}

/** Runs statements as the server's superuser, such as those with which an operator creates a database; returns host and port. */
export async function runAsOperatorOfDatabases(statements: readonly string[]): Promise<string> {
  const server = await serverOf(engineOfThisRun());
  await asSuperuser(server, ...statements);
  return `${server.host}:${server.port}`;
}

/** The same, in one database. */
export async function runAsOperatorOf(database: string, statements: readonly string[]): Promise<void> {
  const server = await serverOf(engineOfThisRun());
  const client = new pg.Client({ connectionString: server.superuserUrl(database) });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
