import { setTimeout as delay } from "node:timers/promises";
import { runner } from "node-pg-migrate";
import pg from "pg";
import type { Secret } from "../configuration/secret.ts";
import type { Log } from "../log/log.ts";
import { isDatabaseUnavailable } from "./database-unavailable.ts";

const START_LIMIT_MILLISECONDS = 30_000;
// A database that answers, but knows neither us nor the database: perhaps both are being made at this moment.
const UNPREPARED_CODES: ReadonlySet<string> = new Set(["28P01", "28000", "3D000"]);
const UNPREPARED_LIMIT_MILLISECONDS = 5_000;
const RETRY_MILLISECONDS = 50;
const QUIET = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function isUnprepared(error: unknown): boolean {
  return error instanceof pg.DatabaseError && UNPREPARED_CODES.has(error.code ?? "");
}

async function connect(url: Secret, log: Log): Promise<pg.Client> {
  const since = performance.now();
  let answeredAt: number | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const client = new pg.Client({ connectionString: url.reveal(), connectionTimeoutMillis: 2_000 });
    client.on("error", () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (isUnprepared(error)) answeredAt ??= performance.now();
      else if (!isDatabaseUnavailable(error)) throw error;
      const preparedBy = (answeredAt ?? Number.POSITIVE_INFINITY) + UNPREPARED_LIMIT_MILLISECONDS;
      if (performance.now() > Math.min(since + START_LIMIT_MILLISECONDS, preparedBy)) throw error;
      if (attempt === 1) log.warn({ error }, "the database does not answer yet; trying again");
      await delay(RETRY_MILLISECONDS);
    }
  }
}

/**
 * Brings the schema up to date. Any number of processes may start at once: one migrates under an advisory lock,
 * the others wait. Give it a direct URL, never one through PgBouncer.
 */
export async function migrateDatabase(options: {
  readonly url: Secret;
  readonly directory: string;
  readonly log: Log;
}): Promise<void> {
  const client = await connect(options.url, options.log);
  try {
    const applied = await runner({
      dbClient: client,
      dir: options.directory,
      direction: "up",
      migrationsTable: "schema_migration",
      advisoryLockMode: "wait",
      // The sandbox's tables have the numbers from 50 on: what a later version adds comes before them.
      checkOrder: false,
      singleTransaction: true,
      logger: QUIET,
    });
    if (applied.length > 0)
      options.log.info({ migrations: applied.map(({ name }) => name) }, "schema migrated");
  } finally {
    await client.end();
  }
}
