import { readFile } from "node:fs/promises";

/** A process beyond its number: a number alone is soon given to another process. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When the kernel started it, in its own ticks; empty where the platform does not tell. */
  readonly startedAt: string;
}

/** The identity of the process that has this number now. */
export async function processIdentity(pid: number): Promise<ProcessIdentity> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The second field is the program's name in parentheses and may hold anything; the start is the twenty-second.
  const afterName = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { pid, startedAt: afterName[19] ?? "" };
}

/** Whether some process has this number. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Whether exactly this process still runs. */
export async function isStillRunning(identity: ProcessIdentity): Promise<boolean> {
  if (!isRunning(identity.pid)) return false;
  return (await processIdentity(identity.pid)).startedAt === identity.startedAt;
}
