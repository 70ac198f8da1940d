import { chown, readFile, rename, rm, writeFile } from "node:fs/promises";
import { isProcessIdentity, isStillRunning, type ProcessIdentity } from "../processes/process-identity.ts";
import type { ClusterLayout } from "./cluster-layout.ts";
import type { DatabaseUser } from "./database-user.ts";
import { readPostmasterFile } from "./postmaster-file.ts";

/** What the process that starts a server leaves for others who want the same database. */
export interface ServerState {
  readonly pid: number;
  readonly port: number;
  readonly starter: ProcessIdentity;
}

/** Writes the state of a server that we started. */
export async function writeServerState(
  layout: ClusterLayout,
  user: DatabaseUser,
  state: ServerState,
): Promise<void> {
  const path = `${layout.state}.${process.pid}`;
  await writeFile(path, JSON.stringify(state), { mode: 0o600 });
  if (user.uid !== undefined) await chown(path, user.uid, user.gid ?? user.uid);
  await rename(path, layout.state);
}

/** Removes the state, unless it is already that of another server. */
export async function removeServerState(layout: ClusterLayout, pid: number): Promise<void> {
  if ((await readServerState(layout))?.pid === pid) await rm(layout.state, { force: true });
}

/**
 * The server to attach to: ready, and its starter still lives. Otherwise its watchdog is about to stop it, so it is not
 * offered.
 */
export async function findLiveServer(layout: ClusterLayout): Promise<ServerState | undefined> {
  const state = await readServerState(layout);
  if (state === undefined || !(await isStillRunning(state.starter))) return undefined;
  const postmaster = await readPostmasterFile(layout);
  return postmaster?.pid === state.pid && postmaster.ready ? state : undefined;
}

async function readServerState(layout: ClusterLayout): Promise<ServerState | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(layout.state, "utf8"));
    return isServerState(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isServerState(value: unknown): value is ServerState {
  if (typeof value !== "object" || value === null) return false;
  if (!("pid" in value && "port" in value && "starter" in value)) return false;
  return typeof value.pid === "number" && typeof value.port === "number" && isProcessIdentity(value.starter);
}
