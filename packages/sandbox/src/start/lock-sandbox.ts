import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hasCode } from "../processes/error-codes.ts";
import {
  isProcessIdentity,
  isStillRunning,
  type ProcessIdentity,
  processIdentity,
} from "../processes/process-identity.ts";
import { SandboxRefusal } from "./sandbox-refusal.ts";

/** The folder is ours until `release`. */
export interface SandboxLock {
  /** True when the last holder disappeared without releasing: its children may need a moment to end. */
  readonly abandoned: boolean;
  release(): Promise<void>;
}

/** Takes the folder for this process, so that two cannot start in it. Refuses with `already_running`. */
export async function lockSandbox(file: string): Promise<SandboxLock> {
  const own = `${file}.${process.pid}`;
  await writeFile(own, JSON.stringify(await processIdentity(process.pid)), { mode: 0o600 });
  try {
    const abandoned = await take(file, own);
    return { abandoned, release: () => rm(file, { force: true }) };
  } finally {
    await rm(own, { force: true });
  }
}

async function take(file: string, own: string): Promise<boolean> {
  for (let abandoned = false; ; abandoned = true) {
    // A link appears whole or not at all, and fails when the name is there: of many starters one wins.
    if (await linked(own, file)) return abandoned;
    const holder = await readHolder(file);
    if (holder !== undefined && (await isStillRunning(holder))) throw alreadyRunning(file, holder);
    await rename(file, `${own}.abandoned`).catch(() => undefined);
    await rm(`${own}.abandoned`, { force: true });
  }
}

async function linked(own: string, file: string): Promise<boolean> {
  try {
    await link(own, file);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

async function readHolder(file: string): Promise<ProcessIdentity | undefined> {
  const holder: unknown = JSON.parse(await readFile(file, "utf8").catch(() => "null"));
  return isProcessIdentity(holder) ? holder : undefined;
}

function alreadyRunning(file: string, { pid }: ProcessIdentity): SandboxRefusal {
  return new SandboxRefusal(
    "already_running",
    `This sandbox runs already, as process ${pid} (${file}). Use it, stop it with Ctrl-C in its terminal, ` +
      "or set SANDBOX_DIRECTORY and the port variables to start another.",
  );
}
