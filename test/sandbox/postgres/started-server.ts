import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { PostgresServer } from "../../../packages/sandbox/src/postgres/postgres-server.ts";
import {
  type PostgresSettings,
  startPostgres,
} from "../../../packages/sandbox/src/postgres/start-postgres.ts";
import { isStillRunning, processIdentity } from "../../../packages/sandbox/src/processes/process-identity.ts";
import { EMBEDDED, type PostgresEngine } from "../../support/postgres-engines.ts";
import { makeDatabaseFolder } from "../../support/test-databases.ts";

/** A folder for one server at a time. */
export interface ServerFolder {
  readonly path: string;
  start(settings?: Partial<PostgresSettings>, engine?: PostgresEngine): Promise<PostgresServer>;
  /** Stops the server that was started in it. */
  stop(): Promise<void>;
  /** Stops the server, and deletes the folder. */
  remove(): Promise<void>;
}

/** Makes the folder at its first use, without the server's own folder below it. */
export function serverFolder(): ServerFolder {
  let outer: string | undefined;
  const path = () => {
    outer ??= makeDatabaseFolder();
    return join(outer, "pg");
  };
  const started: PostgresServer[] = [];
  const stop = async () => {
    for (const server of started.splice(0)) await server.stop();
  };
  return {
    get path() {
      return path();
    },
    start: async (settings = {}, engine = EMBEDDED) => {
      const binaries = await engine.binaries();
      const server = await startPostgres({ directory: path(), durability: "none", ...settings, binaries });
      started.push(server);
      return server;
    },
    stop,
    remove: async () => {
      await stop();
      if (outer !== undefined) await rm(outer, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Runs one statement on its own connection, and returns the first column of its rows. */
export async function ask(url: string, sql: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: "array" });
    return rows.map(([first]) => first);
  } finally {
    await client.end();
  }
}

/** The first line of a child's output; rejects if it ends without one. */
export async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new TypeError("its output must be a pipe");
  const line = once(createInterface({ input: child.stdout }), "line").then(([text]) => String(text));
  const silence = once(child, "exit").then(([code]) => Promise.reject(new Error(`it ended with ${code}`)));
  return Promise.race([line, silence]);
}

/** Waits until a process has ended; throws after the limit. */
export async function endOf(pid: number, limitMs = 8_000): Promise<void> {
  const since = Date.now();
  const identity = await processIdentity(pid);
  while (await isStillRunning(identity)) {
    if (Date.now() - since > limitMs) throw new Error(`process ${pid} still runs`);
    await delay(10);
  }
}
