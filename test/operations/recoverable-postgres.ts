import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { appendFile, copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { clusterLayout } from "../../packages/sandbox/src/postgres/cluster-layout.ts";
import { ensureDatabase } from "../../packages/sandbox/src/postgres/ensure-database-postgres.ts";
import { installedBinaries } from "../../packages/sandbox/src/postgres/postgres-binaries.ts";
import type { PostgresServer } from "../../packages/sandbox/src/postgres/postgres-server.ts";
import { startPostgres } from "../../packages/sandbox/src/postgres/start-postgres.ts";
import { isRunning } from "../../packages/sandbox/src/processes/process-identity.ts";
import { eventually } from "../support/eventually.ts";
import { makeDatabaseFolder } from "../support/test-databases.ts";

const BIN = "/usr/lib/postgresql/15/bin";
const LIMIT_MILLISECONDS = 90_000;

/** A server of which every commit is in an archive before it is answered, as the operations README has it. */
export interface RecoverablePostgres {
  /** Makes a database, or finds it again after the recovery; gives its URL on the server of this moment. */
  open(name: string): Promise<string>;
  takeBaseBackup(): void;
  /** Ends the server as a crash does, and its disk with it. */
  lose(): Promise<void>;
  /** Starts another one from the base backup, with the archive up to its end. */
  recover(): Promise<void>;
  close(): Promise<void>;
}

/** Starts it, with the programs of PostgreSQL 15. */
export async function startRecoverablePostgres(): Promise<RecoverablePostgres> {
  const folder = makeDatabaseFolder();
  const [lost, recovered] = [clusterLayout(join(folder, "lost")), clusterLayout(join(folder, "recovered"))];
  const archive = join(folder, "archive");
  const launch = (directory: string) =>
    startPostgres({ directory, durability: "full", binaries: installedBinaries(BIN) });
  let server = await launch(lost.directory);
  const archiving = await archiveEveryCommit(server, archive);
  process.once("exit", () => {
    archiving.kill();
    if (isRunning(server.pid)) process.kill(server.pid, "SIGQUIT");
  });
  return {
    open: (name) => ensureDatabase(server, { name, role: name, password: `password of ${name}` }),
    takeBaseBackup() {
      mkdirSync(recovered.cluster, { recursive: true });
      const terms = ["--dbname", server.superuserUrl(), "--checkpoint=fast", "--pgdata", recovered.data];
      execFileSync(join(BIN, "pg_basebackup"), terms);
    },
    async lose() {
      process.kill(server.pid, "SIGQUIT");
      await server.ended;
      if (archiving.exitCode === null) await once(archiving, "exit");
      await copyFile(lost.password, recovered.password);
      rmSync(lost.directory, { recursive: true });
    },
    async recover() {
      const restore = `cp "${archive}/%f" "%p" || cp "${archive}/%f.partial" "%p"`;
      const settings = `restore_command = '${restore}'\nsynchronous_standby_names = ''\n`;
      await appendFile(join(recovered.data, "postgresql.auto.conf"), settings);
      await writeFile(join(recovered.data, "recovery.signal"), "");
      // Whoever the server runs as may read what was received.
      execFileSync("chmod", ["-R", "a+rX", archive]);
      server = await launch(recovered.directory);
      await eventually(
        async () => (await ask(server, "SELECT WHERE NOT pg_is_in_recovery()")) === 1,
        LIMIT_MILLISECONDS,
      );
    },
    async close() {
      archiving.kill();
      await server.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** From now on no commit is answered before it is in the archive. */
async function archiveEveryCommit(server: PostgresServer, archive: string): Promise<ChildProcess> {
  const program = join(BIN, "pg_receivewal");
  const slot = ["--dbname", server.superuserUrl(), "--slot", "archive"];
  mkdirSync(archive);
  execFileSync(program, [...slot, "--create-slot"]);
  const terms = [...slot, "--synchronous", "--no-loop", "--directory", archive];
  const archiving = spawn(program, terms, { stdio: "ignore" });
  await eventually(() => readdirSync(archive).length > 0, LIMIT_MILLISECONDS);
  await ask(server, "ALTER SYSTEM SET synchronous_standby_names = 'pg_receivewal'");
  await ask(server, "SELECT pg_reload_conf()");
  return archiving;
}

/** Runs a statement as the superuser, and gives how many rows it found. */
async function ask(server: PostgresServer, text: string): Promise<number> {
  const client = new Client({ connectionString: server.superuserUrl() });
  await client.connect();
  try {
    return (await client.query(text)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}
