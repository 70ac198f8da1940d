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
 * Waits for as many as come first; rejects with {@link FileKept} if one of them has not released it within seconds.
 */
export async function inTurn<T>(
  file: string,
  readAndWrite: () => Promise<T>,
  longestWaitMilliseconds = LONGEST_WAIT_MILLISECONDS,
): Promise<T> {
  const lock = await lockWhenFree(`${file}.lock`, longestWaitMilliseconds);
  try {
    return await readAndWrite();
  } finally {
    await lock.release();
  }
}

async function lockWhenFree(path: string, longestWaitMilliseconds: number): Promise<Lock> {
  let seen = { holding: "", since: 0 };
  for (;;) {
    try {
      return await takeLock(path);
    } catch (error) {
      if (!(error instanceof LockHeld)) throw error;
      const { holding } = error;
      const now = performance.now();
      if (holding !== seen.holding) seen = { holding, since: now };
      if (now - seen.since > longestWaitMilliseconds) throw new FileKept(path, error);
    }
    await delay(LOOK_MILLISECONDS);
  }
}
