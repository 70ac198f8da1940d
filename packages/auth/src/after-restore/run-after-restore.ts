import {
  ConfigurationRefusal,
  createLog,
  DATABASE_TIME_LIMITS,
  type DatabasePatience,
  type DatabaseTimeLimits,
  DatabaseUnsuitable,
  type Environment,
  migrateDatabase,
  openDatabase,
  readConfiguration,
  readDatabaseUrl,
  readOptionalDatabaseUrl,
  requireClearOptions,
  type Secret,
  type Variable,
} from "@cobs/service-edge";
import { CommanderError } from "commander";
import type { Act } from "../audit/act.ts";
import { MIGRATIONS_DIRECTORY } from "../migrations-directory.ts";
import { createCommandLine, type RestoreCommand } from "./command-line.ts";
import { type EndedAfterRestore, endRevived } from "./end-revived-postgres.ts";
import { requireStopped } from "./require-stopped-postgres.ts";

const VARIABLES: readonly Variable[] = [
  { name: "DATABASE_URL", meaning: "PostgreSQL URL of auth; or `DATABASE_URL_FILE`", secret: true },
  {
    name: "DATABASE_DIRECT_URL",
    meaning: "The same database without the pooler; or `DATABASE_DIRECT_URL_FILE`",
    secret: true,
  },
];
const EXIT_DATABASE = 1;
const EXIT_USAGE = 2;
const EXIT_CONFIGURATION = 78;
/** SQLSTATE `read_only_sql_transaction`. */
const READ_ONLY = "25006";
const TAKES_NO_WRITES =
  "the database accepts no writes: it is a standby, read-only, or still in recovery (if paused, resume it with pg_wal_replay_resume())";
const CONNECTIONS = 2;
/** Short, because a person waits for the result. */
const PATIENCE: DatabasePatience = { unavailable: 5_000, unprepared: 0 };
/** Long, because auth is stopped, so locks delay nobody, and restored data is read from disk for the first time. */
const TIME_LIMITS: DatabaseTimeLimits = { ...DATABASE_TIME_LIMITS, statement: 60_000 };

/** The program's environment, arguments and output streams. */
export interface RestoreProgram {
  readonly environment: Environment;
  readonly commandLine: readonly string[];
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/**
 * Ends what a restored backup has revived, and prints how much as one JSON line. Exit codes: 0 done; 2 wrong usage; 78
 * wrong configuration, including an unsuitable database; 1 a fault of the database, or auth still running on it: run it
 * again.
 */
export async function runAfterRestore(program: RestoreProgram): Promise<number> {
  const act = readAct(program);
  if (typeof act === "number") return act;
  const url = readUrl(program);
  if (url === undefined) return EXIT_CONFIGURATION;
  try {
    program.stdout.write(`${JSON.stringify(await endAt(url, act))}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof Error) || error instanceof TypeError) throw error;
    program.stderr.write(`auth:after-restore failed: ${describe(error)}\n`);
    return error instanceof DatabaseUnsuitable ? EXIT_CONFIGURATION : EXIT_DATABASE;
  }
}

async function endAt(url: Secret, act: Act): Promise<EndedAfterRestore> {
  const log = createLog("auth-after-restore", "error");
  // An empty database means that the restore failed: ending nothing there must not count as done.
  await migrateDatabase({
    url,
    directory: MIGRATIONS_DIRECTORY,
    log,
    patience: PATIENCE,
    mustBeUsed: true,
  });
  const database = openDatabase({
    url,
    maxConnections: CONNECTIONS,
    applicationName: "auth-after-restore",
    log,
    timeLimits: TIME_LIMITS,
  });
  try {
    await requireStopped(database);
    return await endRevived(database, act);
  } finally {
    await database.close();
  }
}

/** Describes an error in one line. A failure to connect to several addresses of a name has a code, but no message. */
function describe(error: Error): string {
  if ("code" in error && error.code === READ_ONLY) return TAKES_NO_WRITES;
  const [words] = error.message.split("\n");
  return words || ("code" in error && String(error.code)) || error.name;
}

function readUrl({ environment, stderr }: RestoreProgram): Secret | undefined {
  try {
    const read = readConfiguration<{ readonly url: Secret }>(VARIABLES, environment, (reader) => ({
      // Bypasses PgBouncer, if any: migrations need a session lock.
      url: () => readOptionalDatabaseUrl(reader, "DATABASE_DIRECT_URL") ?? readDatabaseUrl(reader),
    }));
    return read.url;
  } catch (error) {
    if (!(error instanceof ConfigurationRefusal)) throw error;
    stderr.write(`${error.message}\n`);
    return undefined;
  }
}

/**
 * Reads who runs the program, as they name themselves: the program has the database, so it asks for no certificate.
 * Returns the exit code when there is nothing to do.
 */
function readAct({ commandLine, stdout, stderr }: RestoreProgram): Act | number {
  const writeOut = (text: string) => void stdout.write(text);
  const program = createCommandLine({ writeOut, writeErr: (text) => void stderr.write(text) });
  try {
    requireClearOptions(program, commandLine);
    program.parse(commandLine, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    throw error;
  }
  const { by, reason } = program.opts<RestoreCommand>();
  const actor = { kind: "operator", name: by, certificate: undefined } as const;
  return { actor, requestId: undefined, note: reason };
}
