import { setTimeout as delay } from "node:timers/promises";
import { type Lock, LockHeld, takeLock } from "./take-lock.ts";

const LOOK_MILLISECONDS = 20;
const LONGEST_WAIT_MILLISECONDS = 10_000;

/** Another command holds a file too long; the message is for the person at the terminal. */
export class FileKept extends Error {
  constructor(lock: string, cause: LockHeld) {
    super(`another command, process ${cause.pid}, holds ${lock}: wait for it, or end it`, { cause });
    this.name = "FileKept";
  }
}

/**
 * Reads a file and writes it again under a lock: of two concurrent commands, the second finds what the first has written.
 * Rejects with {@link FileKept} if its turn does not come within seconds.
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

async function lockWhenFree(path: string, until: number): Promise<Lock> {
  for (;;) {
    try {
      return await takeLock(path);
    } catch (error) {
      if (!(error instanceof LockHeld)) throw error;
      if (performance.now() > until) throw new FileKept(path, error);
    }
    await delay(LOOK_MILLISECONDS);
  }
}
