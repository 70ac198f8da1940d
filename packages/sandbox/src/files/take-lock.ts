import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { hasCode, ifMissing } from "../processes/error-codes.ts";
import {
  isProcessIdentity,
  isStillRunning,
  type ProcessIdentity,
  processIdentity,
} from "../processes/process-identity.ts";

/** A lock held by this process until `release`. */
export interface Lock {
  /** True if the last holder disappeared without releasing: its children may need a moment to end. */
  readonly abandoned: boolean;
  release(): Promise<void>;
}

/** A running process holds the lock. */
export class LockHeld extends Error {
  readonly pid: number;
  /** Names this holding among all: the same process may hold the lock again. */
  readonly holding: string;

  constructor(lock: string, holding: string, { pid }: ProcessIdentity) {
    super(`process ${pid} has ${lock}`);
    this.name = "LockHeld";
    this.pid = pid;
    this.holding = holding;
  }
}

/**
 * Takes a lock for this process. Rejects with {@link LockHeld}.
 *
 * The lock is a folder with one file, which tells its holder and has a unique name. The folder appears whole, and only in
 * place of none or an empty one. The file of a dead holder is deleted by its name. So exactly one of many processes wins, and
 * no other can take away what it took meanwhile.
 */
export async function takeLock(lock: string): Promise<Lock> {
  // Whoever looks again and again does not make one of its own each time: of many, they would slow down the holder.
  await removeGone(lock);
  const name = randomUUID();
  const own = `${lock}.${name}`;
  await mkdir(own, { mode: 0o700 });
  try {
    await writeFile(join(own, name), JSON.stringify(await processIdentity(process.pid)), { mode: 0o600 });
    const abandoned = await take(lock, own);
    await removeUnfinished(lock);
    return { abandoned, release: () => release(lock, name) };
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

const UNFINISHED_MILLISECONDS = 60_000;

/** Removes what a process left that was killed while making its lock. Making takes a moment; these are over a minute old. */
async function removeUnfinished(lock: string): Promise<void> {
  const isMade = (name: string) => name.startsWith(`${basename(lock)}.`) && UUID_END.test(name);
  // If the folder cannot be listed, they stay; the lock is ours anyway.
  const names = await readdir(dirname(lock)).catch(() => []);
  for (const path of names.filter(isMade).map((name) => join(dirname(lock), name))) {
    const made = await stat(path).catch(ifMissing(undefined));
    if (made !== undefined && made.mtimeMs < Date.now() - UNFINISHED_MILLISECONDS)
      await rm(path, { recursive: true, force: true });
  }
}

const UUID_END = /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function take(lock: string, own: string): Promise<boolean> {
  for (;;) {
    // A release leaves nothing, not even an empty lock.
    const abandoned = existsSync(lock);
    if (await placed(own, lock)) return abandoned;
    await removeGone(lock);
  }
}

async function placed(own: string, lock: string): Promise<boolean> {
  try {
    await rename(own, lock);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOTEMPTY") || hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

async function removeGone(lock: string): Promise<void> {
  // The holder may have released it meanwhile.
  for (const name of await readdir(lock).catch(ifMissing([]))) {
    const file = join(lock, name);
    const holder = await readHolder(file);
    if (holder !== undefined && (await isStillRunning(holder))) throw new LockHeld(lock, name, holder);
    await rm(file, { force: true });
  }
}

/** Undefined if it names nobody: a machine that lost power may have left it empty. */
async function readHolder(file: string): Promise<ProcessIdentity | undefined> {
  try {
    const holder: unknown = JSON.parse(await readFile(file, "utf8"));
    return isProcessIdentity(holder) ? holder : undefined;
  } catch {
    return undefined;
  }
}

async function release(lock: string, name: string): Promise<void> {
  await rm(join(lock, name), { force: true });
  // Another process may already have placed its lock here.
  await rmdir(lock).catch(() => undefined);
}
