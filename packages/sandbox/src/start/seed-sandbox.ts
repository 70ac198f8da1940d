import {
  MIGRATIONS_DIRECTORY as AUTH_MIGRATIONS,
  readSealingKey,
  seedSandboxDirectory,
} from "@cobs/auth/sandbox";
import { MIGRATIONS_DIRECTORY as RESOURCE_MIGRATIONS, seedSandboxBank } from "@cobs/resource/sandbox";
import {
  type Database,
  type DatabaseTimeLimits,
  type Log,
  migrateDatabase,
  openDatabase,
  Secret,
} from "@cobs/service-edge/database";
import type { DemoBank } from "../bank/demo-bank.ts";
import type { SandboxDatabases } from "./databases.ts";
import { refuseUnusableDatabase } from "./refuse-unusable-database.ts";
import type { DocumentedPeople } from "./sandbox-facts.ts";
import type { ServiceName } from "./service-program.ts";
import { untilDatabaseAnswers } from "./until-database-answers.ts";

/** The initial content of a sandbox, and where it goes. */
export interface SandboxSeed {
  readonly databases: SandboxDatabases;
  readonly people: DocumentedPeople;
  readonly bank: DemoBank;
  /** The text of the key that seals TOTP secrets. */
  readonly sealingKey: string;
  readonly log: Log;
}

const SEED_CONNECTIONS = 4;
/**
 * Generous limits: no caller waits, and an aborted transaction starts over. On a busy machine making its entries takes longer
 * than a service's limits allow.
 */
const TIME_LIMITS: DatabaseTimeLimits = { connection: 10_000, statement: 60_000 };
const MIGRATIONS: Readonly<Record<ServiceName, string>> = {
  auth: AUTH_MIGRATIONS,
  resource: RESOURCE_MIGRATIONS,
};

/**
 * Migrates both databases and loads what is missing; if interrupted, the next start completes it. Refuses with
 * `database_unavailable`.
 */
export async function seedSandbox(seed: SandboxSeed): Promise<void> {
  const sealingKey = readSealingKey(new Secret(seed.sealingKey));
  const people = [...seed.people.psus, seed.people.newcomer];
  await Promise.all([
    withMigrated("auth", seed, (database) => seedSandboxDirectory(database, people, sealingKey)),
    withMigrated("resource", seed, (database) => seedSandboxBank(database, seed.bank.content)),
  ]);
}

async function withMigrated<T>(
  name: ServiceName,
  seed: SandboxSeed,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const { databases, log } = seed;
  const url = databases.urls[name];
  await migrateDatabase({ url, directory: MIGRATIONS[name], log }).catch((error: unknown) =>
    refuseUnusableDatabase(name, error),
  );
  return withDatabase(name, seed, work);
}

/**
 * Runs work on the database of a service, repeats it while the database is slow, and closes it. Refuses with
 * `database_unavailable`.
 */
export async function withDatabase<T>(
  name: ServiceName,
  { databases, log }: Pick<SandboxSeed, "databases" | "log">,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const options = {
    url: databases.urls[name],
    maxConnections: SEED_CONNECTIONS,
    applicationName: "sandbox",
    log,
    timeLimits: TIME_LIMITS,
  };
  const database = openDatabase(options);
  try {
    return await untilDatabaseAnswers(() => work(database), log);
  } finally {
    await database.close();
  }
}
