import { readFile } from "node:fs/promises";
import { hasCode } from "./error-codes.ts";

/** Identifies a process beyond its pid, which is soon reused. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When the kernel started it, in its own ticks; empty if the platform does not say. */
  readonly startedAt: string;
}

/** The identity of the process that has this pid now. */
export async function processIdentity(pid: number): Promise<ProcessIdentity> {
  return { pid, startedAt: (await readStatus(pid)).startedAt };
}

/** Whether a value read from a file is an identity. */
export function isProcessIdentity(value: unknown): value is ProcessIdentity {
  if (typeof value !== "object" || value === null) return false;
  if (!("pid" in value && "startedAt" in value)) return false;
  return typeof value.pid === "number" && typeof value.startedAt === "string";
}

/** Whether any process has this pid. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

/** Whether exactly this process still runs; a zombie does not. */
export async function isStillRunning(identity: ProcessIdentity): Promise<boolean> {
  if (!isRunning(identity.pid)) return false;
  const { startedAt, state } = await readStatus(identity.pid);
  return startedAt === identity.startedAt && state !== "Z";
}

async function readStatus(pid: number): Promise<{ readonly state: string; readonly startedAt: string }> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The second field is the program's name in parentheses and may hold anything; the third is the state, the twenty-second the
  // start time.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0] ?? "", startedAt: fields[19] ?? "" };
}
