import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureDatabase } from "../../packages/sandbox/src/postgres/ensure-database-postgres.ts";
import type { PostgresServer } from "../../packages/sandbox/src/postgres/postgres-server.ts";
import { startEmbeddedPostgres } from "../../packages/sandbox/src/postgres/start-embedded-postgres.ts";

let server: Promise<PostgresServer> | undefined;

/**
 * The URL of a new, empty database with a role of its own, on a real server. One server serves a whole test run and
 * ends with it; databases are never shared.
 */
export async function createTestDatabase(): Promise<string> {
  server ??= startServer();
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  return ensureDatabase(await server, { name, role: name, password: randomUUID() });
}

async function startServer(): Promise<PostgresServer> {
  const directory = mkdtempSync(join(tmpdir(), "cobs-databases-"));
  const started = await startEmbeddedPostgres({ directory: join(directory, "pg"), durability: "none" });
  started.unref();
  process.once("exit", () => {
    process.kill(started.pid, "SIGQUIT");
    rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  });
  return started;
}
