import { readdir } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Secret } from "../configuration/secret.ts";
import type { Log } from "../log/log.ts";
import { createDatabaseHosts, type DatabaseHosts } from "./database-hosts.ts";
import { parseDatabasePlace } from "./database-place.ts";
import { isDatabaseUnavailable } from "./database-unavailable.ts";

const START_LIMIT_MILLISECONDS = 120_000;
// A database that answers, but knows neither us nor the database: perhaps both are being made at this moment.
const UNPREPARED_CODES: ReadonlySet<string> = new Set(["28P01", "28000", "3D000"]);
const UNPREPARED_LIMIT_MILLISECONDS = 30_000;
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

const CONNECTION = { connectionTimeoutMillis: 2_000, query_timeout: 2_000 };

async function connect(hosts: DatabaseHosts, log: Log): Promise<pg.Client> {
  const since = performance.now();
  let answeredAt: number | undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      // Asked for now, and not for a migration, which may take long.
      await hosts.findPrimary(CONNECTION);
      const client = new hosts.Client({ connectionTimeoutMillis: CONNECTION.connectionTimeoutMillis });
      client.on("error", () => {});
      return await client.connect();
    } catch (error) {
      if (isUnprepared(error)) answeredAt ??= performance.now();
      else if (!isDatabaseUnavailable(error)) throw error;
      const preparedBy = (answeredAt ?? Number.POSITIVE_INFINITY) + UNPREPARED_LIMIT_MILLISECONDS;
      if (performance.now() > Math.min(since + START_LIMIT_MILLISECONDS, preparedBy)) throw error;
      if (attempt === 1) log.warn({ error }, `${reasonOf(error)}; trying again`);
      await delay(RETRY_MILLISECONDS);
    }
  }
}

/** The names of those that have been applied; undefined in a database that has had none. */
async function appliedNames(client: pg.Client): Promise<ReadonlySet<string> | undefined> {
  const known = await client.query("SELECT FROM pg_class WHERE oid = to_regclass($1)", [TABLE]);
  if (known.rowCount === 0) return undefined;
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${TABLE}`);
  return new Set(rows.map(({ name }) => name));
}

/** Whether every file has been applied. One who is migrating at this moment has not committed the last: then it is not so. */
async function isUpToDate(applied: ReadonlySet<string>, directory: string): Promise<boolean> {
  const files = (await readdir(directory)).filter((name) => name.endsWith(".sql"));
  return files.every((file) => applied.has(basename(file, ".sql")));
}

/**
 * Brings the schema up to date. Any number of processes may start at once: one migrates under an advisory lock,
 * the others wait. Give it a direct URL, never one through PgBouncer. A database that is not there yet is waited for, for
 * two minutes. A new one gets all or nothing. In one that is in use each migration is committed before the next begins: no
 * table stays locked for longer than its own migration takes, and two are not held at once that services lock the other way.
 */
export async function migrateDatabase(options: {
  readonly url: Secret;
  /** The servers behind the URL, where the process goes on with them. */
  readonly hosts?: DatabaseHosts;
  readonly directory: string;
  readonly log: Log;
}): Promise<void> {
  const { hosts = createDatabaseHosts(parseDatabasePlace(options.url.reveal())) } = options;
  const client = await connect(hosts, options.log);
  try {
    const applied = await appliedNames(client);
    if (applied !== undefined && (await isUpToDate(applied, options.directory))) return;
    // It takes longer to load than to ask whether it is needed.
    const { runner } = await import("node-pg-migrate");
    const done = await runner({
      dbClient: client,
      dir: options.directory,
      direction: "up",
      migrationsTable: TABLE,
      advisoryLockMode: "wait",
      // The sandbox's tables have the numbers from 50 on: what a later version adds comes before them.
      checkOrder: false,
      singleTransaction: applied === undefined,
      logger: QUIET,
    });
    if (done.length > 0) options.log.info({ migrations: done.map(({ name }) => name) }, "schema migrated");
  } finally {
    await client.end();
  }
}
