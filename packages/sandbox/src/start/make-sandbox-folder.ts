import { mkdtemp, readdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../files/make-folder.ts";
import { SandboxRefusal } from "./sandbox-refusal.ts";

/** Others may pass through but not list: if root starts us, PostgreSQL may run as another user. */
const MODE = 0o711;

/**
 * Creates the folder of a sandbox if missing, and checks that files can be written to it. Refuses with `folder_unusable`.
 */
export async function makeSandboxFolder(directory: string): Promise<void> {
  try {
    await makeFolder(directory, MODE);
    await mkdtemp(join(directory, "trial-"));
    await removeTrials(directory);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SandboxRefusal("folder_unusable", `nothing can be stored in ${directory}: ${why}`, { cause });
  }
}

/**
 * Removes the trial folders of others too, because a process killed halfway leaves one. Of two that start at once, either
 * removes both.
 */
async function removeTrials(directory: string): Promise<void> {
  const trials = (await readdir(directory)).filter((name) => /^trial-\w{6}$/.test(name));
  await Promise.all(trials.map((name) => rmdir(join(directory, name)).catch(() => undefined)));
}
