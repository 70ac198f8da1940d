import type { ChildProcess } from "node:child_process";
import { chown, open, readFile, rename, stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { type StopSignals, spawnWithWatchdog } from "../processes/spawn-with-watchdog.ts";
import type { ClusterLayout } from "./cluster-layout.ts";
import type { DatabaseUser } from "./database-user.ts";
import { type PostmasterFile, readLastPostmasterFile, readPostmasterFile } from "./postmaster-file.ts";
import { PROGRAM_ENVIRONMENT } from "./run-program.ts";

/** One attempt to start: a ready child, or the reason why it ended, judged by its output. */
export type Launch =
  | { readonly outcome: "ready"; readonly child: ChildProcess; readonly pid: number }
  | { readonly outcome: "folder in use" | "port taken" | "failed"; readonly logTail: string };

const READY_WITHIN_MS = 60_000;
const POLL_MS = 5;
const LOG_LIMIT_BYTES = 1_000_000;

// Fast shutdown; if that takes too long, an immediate one, which loses no data but needs a recovery.
const STOP_SIGNALS: StopSignals = { first: "SIGINT", last: "SIGQUIT", graceSeconds: 4 };

/** Starts PostgreSQL once under a watchdog, and waits until it accepts connections or has ended. */
export async function launchServer(
  command: readonly string[],
  layout: ClusterLayout,
  user: DatabaseUser,
): Promise<Launch> {
  const last = await readLastPostmasterFile(layout);
  const log = await openLog(layout, user);
  const child = spawnWithWatchdog(
    {
      command: [...user.prefix, ...command],
      cwd: "/",
      env: PROGRAM_ENVIRONMENT,
      stdio: ["ignore", log.file.fd, log.file.fd],
      uid: user.uid,
      gid: user.gid,
    },
    STOP_SIGNALS,
  );
  await log.file.close();
  if (child.pid !== undefined && (await becomesReady(child, child.pid, layout, last))) {
    return { outcome: "ready", child, pid: child.pid };
  }
  return explain(await readFrom(layout.log, log.offset));
}

async function becomesReady(
  child: ChildProcess,
  pid: number,
  layout: ClusterLayout,
  last: PostmasterFile | undefined,
): Promise<boolean> {
  const begunAt = performance.now();
  while (child.exitCode === null && child.signalCode === null) {
    const file = await readPostmasterFile(layout);
    // The file of an earlier server may have the same pid, so the start time is compared too; the clock may have been set since.
    const isLast = pid === last?.pid && file?.startedAtSeconds === last.startedAtSeconds;
    if (file?.pid === pid && file.ready && !isLast) return true;
    if (performance.now() - begunAt > READY_WITHIN_MS) child.kill("SIGQUIT");
    await delay(POLL_MS);
  }
  return false;
}

function explain(log: string): Launch {
  const logTail = log.trim().split("\n").slice(-20).join("\n");
  if (/lock file ".*postmaster\.pid"|pre-existing shared memory block/.test(log)) {
    return { outcome: "folder in use", logTail };
  }
  return { outcome: /could not bind/.test(log) ? "port taken" : "failed", logTail };
}

async function openLog(layout: ClusterLayout, user: DatabaseUser) {
  const size = await sizeOf(layout.log);
  if (size > LOG_LIMIT_BYTES) await rename(layout.log, `${layout.log}.1`);
  const file = await open(layout.log, "a", 0o600);
  if (user.uid !== undefined) await chown(layout.log, user.uid, user.gid ?? user.uid);
  return { file, offset: size > LOG_LIMIT_BYTES ? 0 : size };
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

async function readFrom(path: string, offset: number): Promise<string> {
  return (await readFile(path)).subarray(offset).toString("utf8");
}
