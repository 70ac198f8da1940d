import { parseArgs } from "node:util";
import {
  ConfigurationRefusal,
  createLog,
  type Environment,
  migrateDatabase,
  openDatabase,
  readConfiguration,
  type Secret,
  type Variable,
} from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { MIGRATIONS_DIRECTORY } from "../migrations-directory.ts";
import { endRevived } from "./end-revived-postgres.ts";

const VARIABLES: readonly Variable[] = [
  { name: "DATABASE_URL", meaning: "PostgreSQL URL of auth; or `DATABASE_URL_FILE`", secret: true },
];
const EXIT_USAGE = 2;
const EXIT_CONFIGURATION = 78;
const CONNECTIONS = 2;

/** The outside of the program. */
export interface RestoreProgram {
  readonly environment: Environment;
  readonly commandLine: readonly string[];
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/**
 * Ends what a restored backup has revived, and says how much in one JSON line. Exit codes: 0 done, 2 wrong usage, 78 wrong
 * configuration; anything thrown is a fault of the database's, after which it is run again.
 */
export async function runAfterRestore(program: RestoreProgram): Promise<number> {
  const act = readAct(program.commandLine);
  if (act === undefined) {
    program.stderr.write("auth after a restore: --by <your name> --reason <which backup, and why>\n");
    return EXIT_USAGE;
  }
  const url = readUrl(program);
  if (url === undefined) return EXIT_CONFIGURATION;
  const log = createLog("auth-after-restore", "warn");
  await migrateDatabase({ url, directory: MIGRATIONS_DIRECTORY, log });
  const database = openDatabase({
    url,
    maxConnections: CONNECTIONS,
    applicationName: "auth-after-restore",
    log,
  });
  try {
    program.stdout.write(`${JSON.stringify(await endRevived(database, act))}\n`);
    return 0;
  } finally {
    await database.close();
  }
}

function readUrl({ environment, stderr }: RestoreProgram): Secret | undefined {
  try {
    const read = readConfiguration<{ readonly url: Secret }>(VARIABLES, environment, (reader) => ({
      url: () => reader.secret("DATABASE_URL"),
    }));
    return read.url;
  } catch (error) {
    if (!(error instanceof ConfigurationRefusal)) throw error;
    stderr.write(`${error.message}\n`);
    return undefined;
  }
}

/** Whoever runs it is named by themselves: no certificate is asked for by a program that has the database. */
function readAct(commandLine: readonly string[]): Act | undefined {
  const options = { by: { type: "string" }, reason: { type: "string" } } as const;
  const { values } = parseArgs({ args: [...commandLine], options, strict: false });
  const { by, reason } = values;
  if (typeof by !== "string" || typeof reason !== "string" || by === "" || reason === "") return undefined;
  const actor = { kind: "operator", name: by, certificate: undefined } as const;
  return { actor, requestId: undefined, note: reason };
}
