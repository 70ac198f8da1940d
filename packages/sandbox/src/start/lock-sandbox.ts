import { type Lock, LockHeld, takeLock } from "../files/take-lock.ts";
import { SandboxRefusal } from "./sandbox-refusal.ts";

const FOR_ANOTHER = "set SANDBOX_DIRECTORY and the port variables";

/**
 * Locks the folder of a sandbox for this process, so that two cannot start in it. Refuses with `already_running`, and says how
 * to start another one.
 */
export async function lockSandbox(lock: string, forAnother = FOR_ANOTHER): Promise<Lock> {
  try {
    return await takeLock(lock);
  } catch (error) {
    throw error instanceof LockHeld ? alreadyRunning(lock, error, forAnother) : error;
  }
}

function alreadyRunning(lock: string, cause: LockHeld, forAnother: string): SandboxRefusal {
  const message =
    `This sandbox runs already, as process ${cause.pid} (${lock}). Use it, stop it with Ctrl-C in its terminal, ` +
    `or ${forAnother} to start another.`;
  return new SandboxRefusal("already_running", message, { cause });
}
