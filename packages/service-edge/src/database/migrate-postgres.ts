import { readdir } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Secret } from "../configuration/secret.ts";
import type { Log } from "../log/log.ts";
import { createDatabaseHosts, type DatabaseHosts } from "./database-hosts.ts";
import { isDatabaseUnavailable, isRolledBack } from "./database-unavailable.ts";
import { DatabaseUnsuitable } from "./database-unsuitable.ts";
import { requireSameBehind, requireSettings, requireUtf8 } from "./require-fit-database.ts";
import { requireSequencesAhead } from "./require-sequences-ahead.ts";

/** Milliseconds to wait for a database. */
export interface DatabasePatience {
  readonly unavailable: number;
  /** Wait for one that answers but knows neither us nor the database; both may be being created. */
  readonly unprepared: number;
}

const AT_A_START: DatabasePatience = { unavailable: 120_000, unprepared: 30_000 };
const UNPREPARED_CODES: ReadonlySet<string> = new Set(["28P01", "28000", "3D000"]);
const INSUFFICIENT_PRIVILEGE = "42501";
const LOCK_NOT_AVAILABLE = "55P03";
/**
 * Calls that need a table queue behind a migration that waits for it. The limit is shorter than their time limit, and longer than
 * autovacuum holds a lock.
 */
const LOCK_LIMIT_MILLISECONDS = 1_500;
/** Pause before a lock is requested again, for the calls that have waited. */
const LOCK_PAUSE_MILLISECONDS = 3_000;
const RETRY_MILLISECONDS = 50;
const TABLE = "schema_migration";
const QUIET = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function isUnprepared(error: unknown): boolean {
  return error instanceof pg.DatabaseError && UNPREPARED_CODES.has(error.code ?? "");
}

function reasonOf(error: unknown): string {
  return isUnprepared(error)
    ? "the database does not know this role, its password or the database yet"
    : "the database does not answer yet";
}

/**
 * No connection can be made, and waiting does not help: the certificate of the server is not trusted, or the server admits
 * nobody. The words of the cause do not always say what they are about.
 */
export class NoDatabaseConnection extends Error {
  override readonly name = "NoDatabaseConnection";

  constructor(cause: unknown) {
    const words = cause instanceof Error ? cause.message : String(cause);
    // The driver's message when the server asks for a password.
    const why = words.includes("password must be a string") ? "its URL has no password" : words;
    super(`no connection to the database: ${why}`, { cause });
  }
}

const CONNECTION = { connectionTimeoutMillis: 2_000, query_timeout: 2_000 };

async function connect(hosts: DatabaseHosts, log: Log, patience: DatabasePatience): Promise<pg.Client> {
  const since = performance.now();
  let answeredAt: number | undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      // Looks for the primary now, not during a migration, which may take long.
      await hosts.findPrimary(CONNECTION);
      return await connectOnce(hosts);
    } catch (error) {
      if (isUnprepared(error)) answeredAt ??= performance.now();
      else if (!isDatabaseUnavailable(error)) throw new NoDatabaseConnection(error);
      const preparedBy = (answeredAt ?? Number.POSITIVE_INFINITY) + patience.unprepared;
      if (performance.now() > Math.min(since + patience.unavailable, preparedBy)) throw error;
      if (attempt === 1) log.warn({ error }, `${reasonOf(error)}; trying again`);
      await delay(RETRY_MILLISECONDS);
    }
  }
}

async function connectOnce(hosts: DatabaseHosts): Promise<pg.Client> {
  const client = new hosts.Client({ connectionTimeoutMillis: CONNECTION.connectionTimeoutMillis });
  client.on("error", () => {});
  try {
    return await client.connect();
  } catch (error) {
    // Not awaited: a server that waits for the password we do not have would keep waiting.
    client.end().catch(() => {});
    throw error;
  }
}

/** Names of the applied migrations; undefined if the database has never been migrated. */
async function appliedNames(client: pg.Client): Promise<ReadonlySet<string> | undefined> {
  const known = await client.query("SELECT FROM pg_class WHERE oid = to_regclass($1)", [TABLE]);
  if (known.rowCount === 0) return undefined;
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${TABLE}`);
  return new Set(rows.map(({ name }) => name));
}

/** Names of a service's migrations, in order. */
async function namesIn(directory: string): Promise<readonly string[]> {
  const files = (await readdir(directory)).filter((name) => name.endsWith(".sql"));
  return files.map((file) => basename(file, ".sql")).toSorted();
}

/**
 * Refuses another service's database. Every version of a service has its first migration; unknown ones may be of a later version.
 */
function requireOwn(applied: ReadonlySet<string>, own: readonly string[]): void {
  const [first] = own;
  const [other] = applied;
  if (first === undefined || other === undefined || applied.has(first)) return;
  throw new DatabaseUnsuitable(
    "of_another_service",
    `the database belongs to another service: it has the migration ${other}, but not ${first}. Nothing was changed in it`,
  );
}

/** Refuses an unused database to programs that work on its content, because in an empty one their work would seem to be done. */
function requireUsed(applied: ReadonlySet<string> | undefined): void {
  if (applied !== undefined && applied.size > 0) return;
  throw new DatabaseUnsuitable(
    "never_migrated",
    "no migration has ever run in the database. Nothing was changed in it",
  );
}

const MAY_CREATE = `SELECT FROM pg_namespace
  WHERE nspname = 'public' AND has_schema_privilege(oid, 'CREATE') AND has_schema_privilege(oid, 'USAGE')`;

function withoutRights(cause?: unknown): DatabaseUnsuitable {
  return new DatabaseUnsuitable(
    "role_without_rights",
    "the role of the database URL may not change the schema: it must own the database with all that is in it, or have CREATE and USAGE on the schema public and own the tables there",
    { cause },
  );
}

async function requireRights(client: pg.Client): Promise<void> {
  if ((await client.query(MAY_CREATE)).rowCount === 0) throw withoutRights();
}

/** Refuses a standby, or a server that its operator made read-only because its disk is full; neither need last. */
async function requireWrites(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>("SHOW transaction_read_only");
  if (rows[0]?.transaction_read_only === "off") return;
  throw new Error(
    "the database is read-only (transaction_read_only), and its schema is not up to date: name the primary in the URL, or allow writes",
  );
}

/**
 * Lifts limits meant for calls: behind PgBouncer the role has our own, too short to build an index on a large table. An idle
 * limit stays, so that if our machine is lost, nobody waits long for what we hold.
 */
const LIFT_LIMITS = `SELECT set_config(name, CASE WHEN name LIKE 'idle%' THEN '1min' ELSE '0' END, false) FROM pg_settings
  WHERE name IN ('statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout',
    'lock_timeout')`;

function isWithoutRights(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE;
}

function isLocked(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
}

/** A database and what to do in it. */
interface Upgrade {
  readonly client: pg.Client;
  readonly directory: string;
  readonly log: Log;
  readonly mustBeUsed: boolean;
  readonly numbered: readonly string[];
}

async function migrateOnce({ client, directory, log, mustBeUsed, numbered }: Upgrade): Promise<void> {
  const [applied, own] = [await appliedNames(client), await namesIn(directory)];
  if (mustBeUsed) requireUsed(applied);
  if (applied !== undefined) {
    requireOwn(applied, own);
    await client.query(`SET lock_timeout = ${LOCK_LIMIT_MILLISECONDS}`);
    await requireSequencesAhead(client, [TABLE, ...numbered]);
  }
  // Until another process has committed its last migration, this is false.
  if (applied !== undefined && own.every((name) => applied.has(name))) return;
  await requireRights(client);
  await requireWrites(client);
  // Loading it takes longer than asking whether it is needed.
  const { runner } = await import("node-pg-migrate");
  const done = await runner({
    dbClient: client,
    dir: directory,
    direction: "up",
    migrationsTable: TABLE,
    advisoryLockMode: "wait",
    // The sandbox's tables have numbers from 50 on, so migrations of later versions come before them.
    checkOrder: false,
    singleTransaction: applied === undefined,
    logger: QUIET,
  });
  if (done.length > 0) log.info({ migrations: done.map(({ name }) => name) }, "schema migrated");
}

async function migrateWhenFree(upgrade: Upgrade): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await migrateOnce(upgrade);
    } catch (error) {
      if (!isLocked(error) && !isRolledBack(error)) throw error;
      if (attempt === 1) upgrade.log.warn({ error }, "the schema is locked by somebody else; trying again");
    }
    // Ends the transaction of the failed migration; the advisory lock stays ours.
    await upgrade.client.query("ROLLBACK");
    await delay(LOCK_PAUSE_MILLISECONDS);
  }
}

/**
 * Brings the schema up to date. Any number of processes may start at once: one migrates under an advisory lock, the others wait.
 * It needs a direct URL, never one through PgBouncer.
 *
 * A database that is not there yet is waited for, two minutes by default. A new database gets all migrations or none. In one
 * already in use, each migration is committed before the next begins: no table stays locked for longer than its own migration
 * takes, and no two tables are held at once that services lock in the opposite order. If somebody else holds a table, the
 * migration tries again at intervals, so that nobody waits behind it for more than a moment. Refuses with every code of
 * `DatabaseUnsuitable` that concerns a schema, and has then changed nothing.
 */
export async function migrateDatabase(options: {
  readonly url: Secret;
  /** The servers behind the URL, if the process goes on using them. */
  readonly hosts?: DatabaseHosts;
  /** The same servers through a pooler, if there is one. */
  readonly pooled?: DatabaseHosts | undefined;
  readonly directory: string;
  readonly log: Log;
  /** For programs that a person waits for. */
  readonly patience?: DatabasePatience;
  /** For programs that work on the content of a database: refuses one that was never migrated, instead of creating its schema. */
  readonly mustBeUsed?: boolean;
  /** Tables whose `id` a sequence gives; refused if one of them has the next id already. */
  readonly numbered?: readonly string[];
}): Promise<void> {
  const { hosts = createDatabaseHosts(options.url), pooled, directory, log } = options;
  const { patience = AT_A_START, mustBeUsed = false, numbered = [] } = options;
  const client = await connect(hosts, log, patience);
  let pooler: pg.Client | undefined;
  try {
    await requireUtf8(client);
    await requireSettings(client);
    if (pooled !== undefined) {
      pooler = await connect(pooled, log, patience);
      await requireSameBehind(pooler, client);
    }
    await client.query(LIFT_LIMITS);
    await migrateWhenFree({ client, directory, log, mustBeUsed, numbered });
  } catch (error) {
    throw isWithoutRights(error) ? withoutRights(error) : error;
  } finally {
    await Promise.all([client.end(), pooler?.end()]);
  }
}
