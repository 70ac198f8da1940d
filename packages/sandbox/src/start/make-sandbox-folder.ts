import { mkdtemp, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../files/make-folder.ts";
import { SandboxRefusal } from "./sandbox-refusal.ts";

/** Others may pass through but not look: when root starts us, PostgreSQL may have to run as somebody else. */
const MODE = 0o711;

/** Makes the folder of a sandbox where it is missing, and sees that something can be kept in it. Refuses with `folder_unusable`. */
export async function makeSandboxFolder(directory: string): Promise<void> {
  try {
    await makeFolder(directory, MODE);
    await rmdir(await mkdtemp(join(directory, "trial-")));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SandboxRefusal("folder_unusable", `nothing can be kept in ${directory}: ${why}`, { cause });
  }
}
