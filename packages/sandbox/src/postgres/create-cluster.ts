import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { flushFolder } from "../files/write-whole.ts";
import { hasCode, ifMissing } from "../processes/error-codes.ts";
import { isStillRunning, processIdentity } from "../processes/process-identity.ts";
import { type ClusterLayout, clusterContents } from "./cluster-layout.ts";
import { type DatabaseUser, giveTo } from "./database-user.ts";
import { PostgresRefusal } from "./postgres-refusal.ts";
import { runProgram } from "./run-program.ts";

/** The superuser of every cluster. */
export const SUPERUSER = "postgres";

/** The major version that wrote the cluster; undefined if there is none yet. */
export async function clusterMajorVersion(layout: ClusterLayout): Promise<number | undefined> {
  const version = await readFile(join(layout.data, "PG_VERSION"), "utf8").catch(ifMissing(undefined));
  return version === undefined ? undefined : Number.parseInt(version, 10);
}

/**
 * Makes the cluster under a temporary name and renames it into place, so that a crash leaves none rather than half of one. If
 * two processes do so at once, the first rename wins, and the other uses that cluster.
 */
export async function createCluster(
  layout: ClusterLayout,
  user: DatabaseUser,
  initdb: readonly string[],
): Promise<void> {
  await removeAbandoned(layout);
  const temporary = `${layout.cluster}.new-${await makerName()}`;
  const { data, password } = clusterContents(temporary);
  await mkdir(temporary, { mode: 0o700 });
  // `initdb` flushes the data: without the password nobody could read them.
  await writeFile(password, randomBytes(24).toString("base64url"), { mode: 0o600, flush: true });
  await giveTo(user, temporary);
  const result = await runProgram([...initdb, "-D", data, `--pwfile=${password}`], user);
  if (result.failure) {
    await rm(temporary, { recursive: true, force: true });
    throw new PostgresRefusal(
      "did-not-start",
      `PostgreSQL could not create its database folder:\n${result.output}`,
    );
  }
  await moveIntoPlace(temporary, layout.cluster);
  await flushFolder(layout.directory);
}

/** The options of `initdb`: bytewise order on every platform, checksums, and a password even on loopback. */
export function initdbOptions(durable: boolean): readonly string[] {
  const options = [`--username=${SUPERUSER}`, "--auth=scram-sha-256", "--no-locale", "--encoding=UTF8"];
  return [...options, "--data-checksums", "--no-instructions", ...(durable ? [] : ["--no-sync"])];
}

async function moveIntoPlace(temporary: string, cluster: string): Promise<void> {
  try {
    await rename(temporary, cluster);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!hasCode(error, "ENOTEMPTY") && !hasCode(error, "EEXIST")) throw error;
  }
}

// The name holds the maker's identity, so that only leftovers of dead makers are removed.
async function makerName(): Promise<string> {
  const { pid, startedAt } = await processIdentity(process.pid);
  return `${pid}-${startedAt}-${randomBytes(4).toString("hex")}`;
}

async function removeAbandoned(layout: ClusterLayout): Promise<void> {
  const start = `${basename(layout.cluster)}.new-`;
  for (const name of await readdir(layout.directory)) {
    if (!name.startsWith(start)) continue;
    const [pid, startedAt = ""] = name.slice(start.length).split("-");
    if (await isStillRunning({ pid: Number(pid), startedAt })) continue;
    // An initdb may still be writing there; then the next start removes it.
    await rm(join(layout.directory, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
