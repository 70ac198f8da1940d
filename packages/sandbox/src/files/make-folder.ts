import { existsSync } from "node:fs";
import { chmod, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { hasCode, isMissing } from "../processes/error-codes.ts";

/**
 * Makes a folder that may be there already, with those above it that are missing; what it makes has the mode, whatever the umask.
 * Where none can be made, as in `/proc`, it rejects at once: `mkdir` with `recursive` tries again for ever there.
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
