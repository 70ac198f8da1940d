import { mkdtemp, readdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../files/make-folder.ts";
import { SandboxRefusal } from "./sandbox-refusal.ts";

/** Others may pass through but not look: when root starts us, PostgreSQL may have to run as somebody else. */
const MODE = 0o711;

/** Makes the folder of a sandbox where it is missing, and sees that something can be kept in it. Refuses with `folder_unusable`. */
export async function makeSandboxFolder(directory: string): Promise<void> {
  try {
    await makeFolder(directory, MODE);
    await mkdtemp(join(directory, "trial-"));
    await removeTrials(directory);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SandboxRefusal("folder_unusable", `nothing can be kept in ${directory}: ${why}`, { cause });
  }
}

/** Those of others, too: who was killed in the middle has left one. Where two start at once, either removes both. */
async function removeTrials(directory: string): Promise<void> {
  const trials = (await readdir(directory)).filter((name) => /^trial-\w{6}$/.test(name));
  await Promise.all(trials.map((name) => rmdir(join(directory, name)).catch(() => undefined)));
}
