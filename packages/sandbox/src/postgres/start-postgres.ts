/**
 * Starts a PostgreSQL server from any installation, in a folder of our own. It creates the cluster on first use, finds a user
 * who may run it, waits for remains of an earlier server, and attaches if a living process already runs one. It never
 * installs, never writes beside the binaries, and knows nothing of the databases' content.
 */
import { mkdir, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isForbidden } from "../processes/error-codes.ts";
import { processIdentity } from "../processes/process-identity.ts";
import { type ClusterLayout, clusterLayout } from "./cluster-layout.ts";
import { clusterMajorVersion, createCluster, initdbOptions } from "./create-cluster.ts";
import { chooseDatabaseUser, type DatabaseUser, foreignFolder } from "./database-user.ts";
import { freePort } from "./free-port.ts";
import { type Launch, launchServer } from "./launch-server.ts";
import { type PostgresBinaries, programCommand } from "./postgres-binaries.ts";
import { PostgresRefusal } from "./postgres-refusal.ts";
import type { PostgresServer } from "./postgres-server.ts";
import { requireUsableBinaries } from "./require-usable-binaries.ts";
import { attachedServer, ownedServer } from "./running-server.ts";
import { type Durability, serverArguments } from "./server-arguments.ts";
import { findLiveServer, removeServerState, writeServerState } from "./server-state.ts";

/** What a start is doing, for a line on the terminal. */
export type PostgresProgress = "creating" | "waiting for an earlier server to end" | "starting";

/** Settings of a server; `port` is random by default, `patienceMs` is how long an earlier server may take to end. */
export interface PostgresSettings {
  readonly directory: string;
  readonly durability: Durability;
  readonly port?: number;
  readonly patienceMs?: number;
  readonly onProgress?: (step: PostgresProgress) => void;
}

// After a kill -9 the children of the earlier server need up to two seconds to notice.
const PATIENCE_MS = 5_000;
const RETRY_MS = 50;

/** Starts, or attaches to, the server of the folder. Refuses with every code of `PostgresRefusal`. */
export async function startPostgres(
  settings: PostgresSettings & { readonly binaries: PostgresBinaries },
): Promise<PostgresServer> {
  try {
    return await start(settings, await prepare(settings, settings.binaries));
  } catch (error) {
    throw isForbidden(error) ? foreignFolder(settings.directory) : error;
  }
}

interface Prepared {
  readonly layout: ClusterLayout;
  readonly user: DatabaseUser;
  readonly binaries: PostgresBinaries;
  readonly majorVersion: number;
}

async function prepare(settings: PostgresSettings, installed: PostgresBinaries): Promise<Prepared> {
  const layout = clusterLayout(resolve(settings.directory));
  await mkdir(layout.directory, { recursive: true, mode: 0o700 });
  const user = await chooseDatabaseUser(layout, process.getuid?.() ?? -1);
  const { binaries, majorVersion } = await requireUsableBinaries(installed, layout, user);
  const found = await clusterMajorVersion(layout);
  if (found !== undefined && found !== majorVersion)
    throw otherMajorVersion(layout.directory, found, majorVersion);
  if (found === undefined) {
    settings.onProgress?.("creating");
    const initdb = programCommand(binaries, layout, "initdb");
    await createCluster(layout, user, [...initdb, ...initdbOptions(settings.durability === "full")]);
  }
  return { layout, user, binaries, majorVersion };
}

async function start(settings: PostgresSettings, prepared: Prepared): Promise<PostgresServer> {
  settings.onProgress?.("starting");
  let deadline: number | undefined;
  for (;;) {
    const outcome = (await attach(prepared)) ?? (await launch(settings, prepared));
    if (!("refusal" in outcome)) return outcome;
    if (!outcome.mayPass) throw outcome.refusal;
    // Counted from the first attempt, which alone may take longer on a busy machine.
    if (deadline === undefined) {
      deadline = Date.now() + (settings.patienceMs ?? PATIENCE_MS);
      settings.onProgress?.("waiting for an earlier server to end");
    }
    if (Date.now() > deadline) throw outcome.refusal;
    await delay(RETRY_MS);
  }
}

async function attach({ layout, majorVersion }: Prepared): Promise<PostgresServer | undefined> {
  const state = await findLiveServer(layout);
  if (state === undefined) return undefined;
  const superuserPassword = await readFile(layout.password, "utf8");
  return attachedServer({ pid: state.pid, port: state.port, majorVersion, superuserPassword });
}

interface Setback {
  readonly refusal: PostgresRefusal;
  /** Whether the same attempt may succeed later. */
  readonly mayPass: boolean;
}

async function launch(settings: PostgresSettings, prepared: Prepared): Promise<PostgresServer | Setback> {
  const { layout, user, binaries, majorVersion } = prepared;
  const port = settings.port ?? (await freePort());
  const program = programCommand(binaries, layout, "postgres");
  const command = [...program, ...serverArguments(layout.data, port, settings.durability)];
  const launched = await launchServer(command, layout, user);
  if (launched.outcome !== "ready") return setback(launched, settings);
  const { child, pid } = launched;
  await writeServerState(layout, user, { pid, port, starter: await processIdentity(process.pid) });
  const superuserPassword = await readFile(layout.password, "utf8");
  return ownedServer({ pid, port, majorVersion, superuserPassword }, child, () =>
    removeServerState(layout, pid),
  );
}

function setback(launched: Exclude<Launch, { outcome: "ready" }>, settings: PostgresSettings): Setback {
  const { outcome, logTail } = launched;
  if (outcome === "folder in use") {
    const text = `Another PostgreSQL server uses ${settings.directory}. Stop it, or choose another folder.`;
    return { mayPass: true, refusal: new PostgresRefusal("folder-in-use", text) };
  }
  if (outcome === "port taken") {
    const text = `Port ${settings.port ?? "of the database"} on 127.0.0.1 is taken. Choose another one.`;
    return { mayPass: settings.port === undefined, refusal: new PostgresRefusal("port-taken", text) };
  }
  const text = `PostgreSQL did not start in ${settings.directory}. The end of its log:\n${logTail}`;
  return { mayPass: false, refusal: new PostgresRefusal("did-not-start", text) };
}

function otherMajorVersion(directory: string, found: number, ours: number): PostgresRefusal {
  return new PostgresRefusal(
    "other-major-version",
    `The folder ${directory} holds a database of PostgreSQL ${found}, and PostgreSQL ${ours} cannot open it. ` +
      "Move the folder away to start afresh, or run the release that made it and copy what you need from there.",
  );
}
