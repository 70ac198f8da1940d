import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseTimeLimits } from "@cobs/service-edge";
import { ensureDatabase } from "../../packages/sandbox/src/postgres/ensure-database-postgres.ts";
import type { PostgresServer } from "../../packages/sandbox/src/postgres/postgres-server.ts";
import { startPostgres } from "../../packages/sandbox/src/postgres/start-postgres.ts";
import { isRunning } from "../../packages/sandbox/src/processes/process-identity.ts";
import { type PostgresEngine, postgresEngines } from "./postgres-engines.ts";

/** For services in tests: what is asserted is what they answer, not how fast a machine is that they share with others. */
export const PATIENT: DatabaseTimeLimits = { connection: 20_000, statement: 20_000 };

const servers = new Map<PostgresEngine, Promise<PostgresServer>>();

/**
 * The URL of a new, empty database with a role of its own, on a real server: the embedded one, or Debian's where the
 * run asks for it. One server of each engine serves a whole test run and ends with it; databases are never shared.
 */
export async function createTestDatabase(engine: PostgresEngine = engineOfThisRun()): Promise<string> {
  const server = servers.get(engine) ?? startServer(engine);
  servers.set(engine, server);
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  return ensureDatabase(await server, { name, role: name, password: randomUUID() });
}

function engineOfThisRun(): PostgresEngine {
  const engine = postgresEngines().at(-1);
  if (engine === undefined) throw new TypeError("there is always an engine");
  return engine;
}

/** A new folder that an unprivileged user can pass through, as PostgreSQL may need when the tests run as root. */
export function makeDatabaseFolder(): string {
  const directory = mkdtempSync(join(tmpdir(), "cobs-databases-"));
  chmodSync(directory, 0o711);
  return directory;
}

async function startServer(engine: PostgresEngine): Promise<PostgresServer> {
  const directory = makeDatabaseFolder();
  const binaries = await engine.binaries();
  const started = await startPostgres({ directory: join(directory, "pg"), durability: "none", binaries });
  started.unref();
  process.once("exit", () => {
    if (isRunning(started.pid)) process.kill(started.pid, "SIGQUIT");
    rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  });
  return started;
}
