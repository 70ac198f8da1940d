import { rm } from "node:fs/promises";
import { Secret } from "@cobs/service-edge/configuration";
import { writeWhole } from "../files/write-whole.ts";
import { connectionUrl, type PostgresServer } from "../postgres/postgres-server.ts";
import { startEmbeddedPostgres } from "../postgres/start-embedded-postgres.ts";
import type { SandboxLayout } from "../sandbox-folder/sandbox-layout.ts";
import type { SandboxConfig } from "./config.ts";
import { describeEnd, type RunningProcess } from "./running-process.ts";
import { type DatabasePasswords, keepDatabasePasswords } from "./sandbox-secrets.ts";
import type { ServiceName } from "./service-program.ts";

/** The databases of a sandbox, known before they exist, so that the services can start in parallel. */
export interface SandboxDatabases {
  readonly urls: Readonly<Record<ServiceName, Secret>>;
  /** Services whose database is in our own PostgreSQL. */
  readonly embedded: readonly ServiceName[];
  readonly passwords: DatabasePasswords;
}

/** Decides where the databases are. Writes each URL, that of Redis too, to a file that only its service is told of. */
export async function planDatabases(
  config: SandboxConfig,
  layout: SandboxLayout,
  postgresPort: number,
): Promise<SandboxDatabases> {
  const passwords = await keepDatabasePasswords(layout);
  const { auth, resource } = config.externalDatabases;
  const embeddedUrl = (name: ServiceName) => {
    const url = connectionUrl(postgresPort, { role: name, password: passwords[name], database: name });
    // The server has no TLS; without this parameter PGSSLMODE of the client would apply.
    return new Secret(`${url}?sslmode=disable`);
  };
  const urls = { auth: auth ?? embeddedUrl("auth"), resource: resource ?? embeddedUrl("resource") };
  await writeWhole(layout.databaseUrl.auth, urls.auth.reveal(), 0o600);
  await writeWhole(layout.databaseUrl.resource, urls.resource.reveal(), 0o600);
  if (config.redisUrl === undefined) await rm(layout.redisUrl, { force: true });
  else await writeWhole(layout.redisUrl, config.redisUrl.reveal(), 0o600);
  return { urls, passwords, embedded: embeddedServices(config) };
}

/** The services whose database is not given by a variable. */
export function embeddedServices({ externalDatabases }: SandboxConfig): readonly ServiceName[] {
  const names: readonly ServiceName[] = ["auth", "resource"];
  return names.filter((name) => externalDatabases[name] === undefined);
}

/** Starts the embedded PostgreSQL on its port; refuses with every code of `PostgresRefusal`. */
export async function startDatabaseServer(directory: string, port: number): Promise<PostgresServer> {
  return startEmbeddedPostgres({ directory, port, durability: "full" });
}

/** Creates the missing databases and roles of the services. */
export async function ensureDatabases(server: PostgresServer, databases: SandboxDatabases): Promise<void> {
  const { embedded, passwords } = databases;
  // Loaded only now, so that PostgreSQL starts first.
  const { ensureDatabase } = await import("../postgres/ensure-database-postgres.ts");
  await Promise.all(
    embedded.map((name) => ensureDatabase(server, { name, role: name, password: passwords[name] })),
  );
}

/** Wraps the server as a process like the others. */
export function asRunningProcess(server: PostgresServer): RunningProcess {
  return {
    pid: server.pid,
    ended: server.ended.then(({ exitCode, signal }) => describeEnd(exitCode, signal)),
    stop: () => server.stop(),
    hurry: () => undefined,
  };
}
