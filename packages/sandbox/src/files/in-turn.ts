import { setTimeout as delay } from "node:timers/promises";
import { lockSandbox, type SandboxLock } from "../start/lock-sandbox.ts";
import { SandboxRefusal } from "../start/sandbox-refusal.ts";

const LOOK_MILLISECONDS = 20;
const LONGEST_WAIT_MILLISECONDS = 10_000;

/**
 * Reads a file and writes it again while nobody else does so: of two commands at the same time, the second finds what the
 * first has written. Rejects with an error that names the lock when its turn does not come within seconds.
 */
export async function inTurn<T>(file: string, readAndWrite: () => Promise<T>): Promise<T> {
  const lock = await lockWhenFree(`${file}.lock`, performance.now() + LONGEST_WAIT_MILLISECONDS);
  try {
    return await readAndWrite();
  } finally {
    await lock.release();
  }
}

async function lockWhenFree(path: string, until: number): Promise<SandboxLock> {
  for (;;) {
    try {
      return await lockSandbox(path);
    } catch (error) {
      if (!(error instanceof SandboxRefusal)) throw error;
      if (performance.now() > until) throw new Error(`another command keeps ${path}`, { cause: error });
    }
    await delay(LOOK_MILLISECONDS);
  }
}
