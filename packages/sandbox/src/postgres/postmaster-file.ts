import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRunning } from "../processes/process-identity.ts";
import type { ClusterLayout } from "./cluster-layout.ts";

/** What PostgreSQL writes about itself into its data folder. */
export interface PostmasterFile {
  readonly pid: number;
  /** Whole seconds since 1970. */
  readonly startedAtSeconds: number;
  readonly port: number;
  readonly ready: boolean;
}

/** Reads `postmaster.pid`; undefined if there is none, or its process is gone. */
export async function readPostmasterFile(layout: ClusterLayout): Promise<PostmasterFile | undefined> {
  const file = await readLastPostmasterFile(layout);
  return file !== undefined && isRunning(file.pid) ? file : undefined;
}

/** The same of the server that had it last, whether or not its process is gone. */
export async function readLastPostmasterFile(layout: ClusterLayout): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(layout.data, "postmaster.pid"), "utf8").catch(() => "");
  const [pid, , startedAt, port, , , , status] = text.split("\n");
  const file = { pid: Number(pid), startedAtSeconds: Number(startedAt), port: Number(port) };
  return file.pid > 0 ? { ...file, ready: status?.trim() === "ready" } : undefined;
}
