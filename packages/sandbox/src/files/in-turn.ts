import { setTimeout as delay } from "node:timers/promises";
import { LockHeld, lockSandbox, type SandboxLock } from "../start/lock-sandbox.ts";
import { SandboxRefusal } from "../start/sandbox-refusal.ts";

const LOOK_MILLISECONDS = 20;
const LONGEST_WAIT_MILLISECONDS = 10_000;

/**
 * Reads a file and writes it again while nobody else does so: of two commands at the same time, the second finds what the
 * first has written. Rejects with a refusal that names the lock and who has it when its turn does not come within seconds.
 */
export async function inTurn<T>(
  file: string,
  readAndWrite: () => Promise<T>,
  longestWaitMilliseconds = LONGEST_WAIT_MILLISECONDS,
): Promise<T> {
  const lock = await lockWhenFree(`${file}.lock`, performance.now() + longestWaitMilliseconds);
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
      if (!(error instanceof LockHeld)) throw error;
      if (performance.now() > until) throw keptByAnother(path, error);
    }
    await delay(LOOK_MILLISECONDS);
  }
}

function keptByAnother(path: string, held: LockHeld): SandboxRefusal {
  const what = `a command that runs as process ${held.pid} keeps ${path}: let it go on, or end it`;
  return new SandboxRefusal(held.code, what, { cause: held });
}
