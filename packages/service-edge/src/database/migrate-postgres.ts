import { randomInt } from "node:crypto";
import { readdir } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Secret } from "../configuration/secret.ts";
import type { Log } from "../log/log.ts";
import { createDatabaseHosts, type DatabaseHosts } from "./database-hosts.ts";
import { isDatabaseUnavailable, isRolledBack } from "./database-unavailable.ts";
import { DatabaseUnsuitable } from "./database-unsuitable.ts";

/** How long a database is waited for, in milliseconds. */
export interface DatabasePatience {
  readonly unavailable: number;
  /** One that answers, but knows neither us nor the database: perhaps both are being made at this moment. */
  readonly unprepared: number;
}

const AT_A_START: DatabasePatience = { unavailable: 120_000, unprepared: 30_000 };
const UNPREPARED_CODES: ReadonlySet<string> = new Set(["28P01", "28000", "3D000"]);
const INSUFFICIENT_PRIVILEGE = "42501";
const LOCK_NOT_AVAILABLE = "55P03";
/** Calls that want a table wait behind a migration that waits for it: less than they may, and longer than autovacuum holds it. */
const LOCK_LIMIT_MILLISECONDS = 1_500;
/** Until a lock is wanted again: for the calls that have waited. */
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
 * No connection can be made, and no waiting mends it: the certificate of the server is not trusted, or it lets nobody in. The
 * words of the cause do not always say of what they are.
 */
export class NoDatabaseConnection extends Error {
  override readonly name = "NoDatabaseConnection";

  constructor(cause: unknown) {
    const words = cause instanceof Error ? cause.message : String(cause);
    // Of the driver, where the server asks for a password.
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
      // Asked for now, and not for a migration, which may take long.
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
    // A server that waits for the password which we do not have would wait on.
    client.end().catch(() => {});
    throw error;
  }
}

/** The names of those that have been applied; undefined in a database that has had none. */
async function appliedNames(client: pg.Client): Promise<ReadonlySet<string> | undefined> {
  const known = await client.query("SELECT FROM pg_class WHERE oid = to_regclass($1)", [TABLE]);
  if (known.rowCount === 0) return undefined;
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${TABLE}`);
  return new Set(rows.map(({ name }) => name));
}

/** The names of the migrations of a service, in their order. */
async function namesIn(directory: string): Promise<readonly string[]> {
  const files = (await readdir(directory)).filter((name) => name.endsWith(".sql"));
  return files.map((file) => basename(file, ".sql")).toSorted();
}

async function requireUtf8(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>("SHOW server_encoding");
  const encoding = rows[0]?.server_encoding;
  if (encoding === "UTF8") return;
  throw new DatabaseUnsuitable(
    "not_utf8",
    `the encoding of the database is ${encoding}, and must be UTF8: make it with ENCODING 'UTF8' TEMPLATE template0`,
  );
}

/**
 * In other styles the driver reads no dates; where a schema comes before `public`, as one that is named as the role does, tables
 * are made and looked for there; without nulls in arrays, what is absent is kept as the word NULL; at other levels of isolation, who changes a row beside another gets an error; with fewer
 * digits, a wait of 30 minutes is told as one of 33. Without synchronous commits a crash of the server takes back what was
 * answered: a withdrawn consent would be active again, and a used code good once more. From PostgreSQL 18 on, a time zone may have
 * an abbreviation that is UTC and is another: then no audit entry can be written.
 */
const UNFIT_SETTING = `SELECT name, setting, wanted FROM pg_settings JOIN
    (VALUES ('DateStyle', '^ISO', 'ISO'), ('search_path', '(^|[ ,])public(,|$)', 'public'), ('array_nulls', '^on$', 'on'),
      ('default_transaction_isolation', '^read committed$', 'read committed'), ('synchronous_commit', '^(?!off)', 'on'),
      ('extra_float_digits', '^[0-3]$', '1'), ('TimeZone', '^true$', 'UTC'))
    AS fit (name, pattern, wanted) USING (name)
  WHERE CASE name WHEN 'search_path' THEN coalesce(current_schema(), setting)
    WHEN 'TimeZone' THEN (now() AT TIME ZONE 'UTC' = now() AT TIME ZONE interval '0')::text
    ELSE setting END !~ pattern LIMIT 1`;

async function requireSettings(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; setting: string; wanted: string }>(UNFIT_SETTING);
  const [unfit] = rows;
  if (unfit === undefined) return;
  const { name, setting, wanted } = unfit;
  throw new DatabaseUnsuitable(
    "other_settings",
    `${name} is ${setting} for us, and must be ${wanted}: ALTER ROLE … IN DATABASE … SET ${name} = '${wanted}'`,
  );
}

/** Every version of a service has had its first migration; those that we do not know may be of a later one. */
function requireOwn(applied: ReadonlySet<string>, own: readonly string[]): void {
  const [first] = own;
  const [other] = applied;
  if (first === undefined || other === undefined || applied.has(first)) return;
  throw new DatabaseUnsuitable(
    "of_another_service",
    `the database is that of another service: it has the migration ${other} and not ${first}. Nothing was changed in it`,
  );
}

/** What is about what a database holds has nothing to do in one that holds nothing: there it would seem to be done. */
function requireUsed(applied: ReadonlySet<string> | undefined): void {
  if (applied !== undefined && applied.size > 0) return;
  throw new DatabaseUnsuitable(
    "never_migrated",
    "there is nothing in the database: it has had no migration. Nothing was changed in it",
  );
}

/** Calls go through a pooler, perhaps with another role: what is behind it must be what is looked at without it. */
async function requireSameBehind(pooler: pg.Client, direct: pg.Client): Promise<void> {
  const key = [randomInt(2 ** 48 - 1)];
  await direct.query("SELECT pg_advisory_lock($1)", key);
  // A lock is of one database: held there, it is free in every other, also in a copy.
  const { rows } = await pooler.query<{ free: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS free", key);
  if (rows[0]?.free !== false)
    throw new DatabaseUnsuitable(
      "behind_pooler_another",
      "DATABASE_URL and DATABASE_DIRECT_URL lead to two databases",
    );
  await requireSettings(pooler);
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

/** A standby, or a server whose disk has filled up and that its operator lets be read alone: that may end. */
async function requireWrites(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>("SHOW transaction_read_only");
  if (rows[0]?.transaction_read_only === "off") return;
  throw new Error(
    "the database takes no writes (transaction_read_only), and its schema is not up to date: name the primary in the URL, or let it be written to",
  );
}

/**
 * They are meant for calls: behind PgBouncer the role has our own, within which no index of a large table is made. But while we
 * do nothing, because our machine has gone, nobody else waits long for what we hold.
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

/** A database, and what shall be done in it. */
interface Upgrade {
  readonly client: pg.Client;
  readonly directory: string;
  readonly log: Log;
  readonly mustBeUsed: boolean;
}

async function migrateOnce({ client, directory, log, mustBeUsed }: Upgrade): Promise<void> {
  const [applied, own] = [await appliedNames(client), await namesIn(directory)];
  if (mustBeUsed) requireUsed(applied);
  if (applied !== undefined) requireOwn(applied, own);
  // One who is migrating at this moment has not committed the last: then it is not so.
  if (applied !== undefined && own.every((name) => applied.has(name))) return;
  await requireRights(client);
  await requireWrites(client);
  if (applied !== undefined) await client.query(`SET lock_timeout = ${LOCK_LIMIT_MILLISECONDS}`);
  // It takes longer to load than to ask whether it is needed.
  const { runner } = await import("node-pg-migrate");
  const done = await runner({
    dbClient: client,
    dir: directory,
    direction: "up",
    migrationsTable: TABLE,
    advisoryLockMode: "wait",
    // The sandbox's tables have the numbers from 50 on: what a later version adds comes before them.
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
      if (attempt === 1) upgrade.log.warn({ error }, "the schema is held by somebody else; trying again");
    }
    // Of the migration that has failed; the advisory lock stays ours.
    await upgrade.client.query("ROLLBACK");
    await delay(LOCK_PAUSE_MILLISECONDS);
  }
}

/**
 * Brings the schema up to date. Any number of processes may start at once: one migrates under an advisory lock, the others
 * wait. Give it a direct URL, never one through PgBouncer. A database that is not there yet is waited for, for two minutes
 * unless told otherwise. A new one gets all or nothing. In one that is in use each migration is committed before the next
 * begins: no table stays locked for longer than its own migration takes, and two are not held at once that services lock the
 * other way. One that somebody else holds is waited for by turns, so that nobody waits behind us for longer than a moment.
 * Refuses with every code of `DatabaseUnsuitable` that is about a schema, and has changed nothing then.
 */
export async function migrateDatabase(options: {
  readonly url: Secret;
  /** The servers behind the URL, where the process goes on with them. */
  readonly hosts?: DatabaseHosts;
  /** The same through a pooler, where there is one. */
  readonly pooled?: DatabaseHosts | undefined;
  readonly directory: string;
  readonly log: Log;
  /** For programs that somebody waits for. */
  readonly patience?: DatabasePatience;
  /** For what is done with the content of a database: one that has had no migration is refused, and not made. */
  readonly mustBeUsed?: boolean;
}): Promise<void> {
  const { hosts = createDatabaseHosts(options.url), pooled, directory, log } = options;
  const { patience = AT_A_START, mustBeUsed = false } = options;
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
    await migrateWhenFree({ client, directory, log, mustBeUsed });
  } catch (error) {
    throw isWithoutRights(error) ? withoutRights(error) : error;
  } finally {
    await Promise.all([client.end(), pooler?.end()]);
  }
}
