import { type Lock, LockHeld, takeLock } from "../files/take-lock.ts";
import { SandboxRefusal } from "./sandbox-refusal.ts";

/** Takes the folder of a sandbox for this process, so that two cannot start in it. Refuses with `already_running`. */
export async function lockSandbox(lock: string): Promise<Lock> {
  try {
    return await takeLock(lock);
  } catch (error) {
    throw error instanceof LockHeld ? alreadyRunning(lock, error) : error;
  }
}

function alreadyRunning(lock: string, cause: LockHeld): SandboxRefusal {
  const message =
    `This sandbox runs already, as process ${cause.pid} (${lock}). Use it, stop it with Ctrl-C in its terminal, ` +
    "or set SANDBOX_DIRECTORY and the port variables to start another.";
  return new SandboxRefusal("already_running", message, { cause });
}
