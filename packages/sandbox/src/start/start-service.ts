import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { spawnWithWatchdog } from "../processes/spawn-with-watchdog.ts";
import { describeEnd, type RunningProcess } from "./running-process.ts";
import type { ServiceEnvironment } from "./service-environment.ts";
import { closeLog, openLog } from "./service-log.ts";

/** A service process: what to run, in which environment, and where its output goes. */
export interface ServiceStart {
  readonly command: readonly string[];
  readonly environment: ServiceEnvironment;
  readonly logFile: string;
}

// A service drains for up to three seconds.
const GRACE_SECONDS = 6;

/** Starts a service under a watchdog, so that it ends when we disappear. Does not wait until it is ready. */
export function startService({ command, environment, logFile }: ServiceStart): RunningProcess {
  const log = openLog(logFile);
  const child = spawnWithWatchdog(
    { command, cwd: process.cwd(), env: environment, stdio: ["ignore", log, log] },
    { first: "SIGTERM", last: "SIGKILL", graceSeconds: GRACE_SECONDS },
  );
  closeLog(log);
  if (child.pid === undefined) throw new TypeError(`${command[0]} cannot be run`);
  const ended = endOf(child);
  return {
    pid: child.pid,
    ended,
    stop: () => stopChild(child, ended),
    hurry: () => void child.kill("SIGKILL"),
  };
}

async function endOf(child: ChildProcess): Promise<string> {
  await once(child, "exit").catch(() => undefined);
  return describeEnd(child.exitCode, child.signalCode);
}

async function stopChild(child: ChildProcess, ended: Promise<string>): Promise<void> {
  const tooLong = setTimeout(() => child.kill("SIGKILL"), GRACE_SECONDS * 1000);
  child.kill("SIGTERM");
  await ended;
  clearTimeout(tooLong);
}
