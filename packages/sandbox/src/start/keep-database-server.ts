import type { SandboxConfig } from "./config.ts";
import {
  asRunningProcess,
  embeddedServices,
  ensureDatabases,
  type SandboxDatabases,
  startDatabaseServer,
} from "./databases.ts";
import { type KeptProcess, keepRunning } from "./keep-running.ts";
import type { StopOrder } from "./stop-order.ts";

/** How to start the embedded PostgreSQL. */
export interface DatabaseServerStart {
  readonly directory: string;
  readonly port: number;
  readonly databases: SandboxDatabases;
  readonly stopOrder: StopOrder;
  readonly onRestart: () => Promise<void>;
  readonly say: (line: string) => void;
}

/** Starts PostgreSQL with a database for each service, and restarts it whenever it ends. */
export async function keepDatabaseServer(start: DatabaseServerStart): Promise<KeptProcess> {
  const { directory, port, say, onRestart } = start;
  const server = await startDatabaseServer(directory, port);
  const restart = async () => asRunningProcess(await startDatabaseServer(directory, port));
  const kept = keepRunning({ name: "PostgreSQL", say, onRestart, restart }, asRunningProcess(server));
  await start.stopOrder.add(kept);
  await ensureDatabases(server, start.databases);
  say(`PostgreSQL ${server.majorVersion} runs (pid ${server.pid}, port ${port})`);
  return kept;
}

/** Whether any service needs the embedded PostgreSQL. */
export function needsDatabaseServer(config: SandboxConfig): boolean {
  return embeddedServices(config).length > 0;
}
