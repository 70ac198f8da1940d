import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { appendFile, copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { type ClusterLayout, clusterLayout } from "../../packages/sandbox/src/postgres/cluster-layout.ts";
import { ensureDatabase } from "../../packages/sandbox/src/postgres/ensure-database-postgres.ts";
import { installedBinaries } from "../../packages/sandbox/src/postgres/postgres-binaries.ts";
import type { PostgresServer } from "../../packages/sandbox/src/postgres/postgres-server.ts";
import { startPostgres } from "../../packages/sandbox/src/postgres/start-postgres.ts";
import { isRunning } from "../../packages/sandbox/src/processes/process-identity.ts";
import { eventually } from "../support/eventually.ts";
import { makeDatabaseFolder } from "../support/test-databases.ts";

const BIN = "/usr/lib/postgresql/15/bin";
const LIMIT_MILLISECONDS = 90_000;

/** A server whose every commit is in an archive before it is answered, as in the operations README. */
export interface RecoverablePostgres {
  /** Makes a database, or finds it again after the recovery; returns its URL on the present server. */
  open(name: string): Promise<string>;
  takeBaseBackup(): void;
  /** Ends the server like a crash, and deletes its disk. */
  lose(): Promise<void>;
  /** Starts another server from the base backup and the whole archive. */
  recover(): Promise<void>;
  /** Starts one more server, with the archive up to a moment; returns the URL of a database there. */
  recoverUntil(moment: string, name: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts a server, with the programs of PostgreSQL 15. */
export async function startRecoverablePostgres(): Promise<RecoverablePostgres> {
  const folder = makeDatabaseFolder();
  const layoutOf = (name: string) => clusterLayout(join(folder, name));
  const [lost, recovered, earlier] = [layoutOf("lost"), layoutOf("recovered"), layoutOf("earlier")];
  const archive = join(folder, "archive");
  const launch = (directory: string) =>
    startPostgres({ directory, durability: "full", binaries: installedBinaries(BIN) });
  let server = await launch(lost.directory);
  let second: PostgresServer | undefined;
  const archiving = await archiveEveryCommit(server, archive);
  /** Starts a server from its base backup, with what follows in the archive. */
  async function launchRecovered(
    { directory, data }: ClusterLayout,
    target: string,
  ): Promise<PostgresServer> {
    const restore = `cp "${archive}/%f" "%p" || cp "${archive}/%f.partial" "%p"`;
    const settings = `restore_command = '${restore}'\nsynchronous_standby_names = ''\n${target}`;
    await appendFile(join(data, "postgresql.auto.conf"), settings);
    await writeFile(join(data, "recovery.signal"), "");
    // Lets the server's user read the received files, whoever that is.
    execFileSync("chmod", ["-R", "a+rX", archive]);
    const launched = await launch(directory);
    await eventually(
      async () => (await ask(launched, "SELECT WHERE NOT pg_is_in_recovery()")) === 1,
      LIMIT_MILLISECONDS,
    );
    return launched;
  }
  process.once("exit", () => {
    archiving.kill();
    for (const each of [server, second])
      if (each !== undefined && isRunning(each.pid)) process.kill(each.pid, "SIGQUIT");
  });
  return {
    open: (name) => ensureDatabase(server, { name, role: name, password: `password of ${name}` }),
    takeBaseBackup() {
      for (const { cluster, data } of [recovered, earlier]) {
        mkdirSync(cluster, { recursive: true });
        const terms = ["--dbname", server.superuserUrl(), "--checkpoint=fast", "--pgdata", data];
        execFileSync(join(BIN, "pg_basebackup"), terms);
      }
    },
    async lose() {
      process.kill(server.pid, "SIGQUIT");
      await server.ended;
      if (archiving.exitCode === null) await once(archiving, "exit");
      for (const { password } of [recovered, earlier]) await copyFile(lost.password, password);
      rmSync(lost.directory, { recursive: true });
    },
    async recover() {
      server = await launchRecovered(recovered, "");
    },
    async recoverUntil(moment, name) {
      const target = `recovery_target_time = '${moment}'\nrecovery_target_action = 'promote'\n`;
      second = await launchRecovered(earlier, target);
      return ensureDatabase(second, { name, role: name, password: `password of ${name}` });
    },
    async close() {
      archiving.kill();
      await Promise.all([server.stop(), second?.stop()]);
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

/** Runs a statement as the superuser; returns the number of rows. */
async function ask(server: PostgresServer, text: string): Promise<number> {
  const client = new Client({ connectionString: server.superuserUrl() });
  await client.connect();
  try {
    return (await client.query(text)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}
