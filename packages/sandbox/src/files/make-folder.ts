import { existsSync } from "node:fs";
import { chmod, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { hasCode, isMissing } from "../processes/error-codes.ts";

/**
 * Creates a folder, and those above it, unless they exist; what it creates has the mode, whatever the umask. If none can be
 * created, as in `/proc`, it rejects at once: `mkdir` with `recursive` retries there for ever.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
    await chmod(path, mode);
  } catch (error) {
    if (hasCode(error, "EEXIST") && (await stat(path)).isDirectory()) return;
    if (!isMissing(error) || existsSync(dirname(path))) throw error;
    await makeFolder(dirname(path), mode);
    await makeFolder(path, mode);
  }
}
