import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { spawnWithWatchdog } from "../processes/spawn-with-watchdog.ts";
import { describeEnd, type RunningProcess } from "./running-process.ts";
import type { ServiceEnvironment } from "./service-environment.ts";
import { closeLog, openLog, sizeOf } from "./service-log.ts";

/** A service process: what to run, in which environment, and where its output goes. */
export interface ServiceStart {
  readonly command: readonly string[];
  readonly environment: ServiceEnvironment;
  readonly logFile: string;
}

/** A service process, with the length of its log when it was started: what comes before is of earlier ones. */
export interface StartedService extends RunningProcess {
  readonly logStart: number;
}

// A service drains for up to three seconds.
const GRACE_SECONDS = 6;

/** Starts a service under a watchdog, so that it ends when we disappear. Does not wait until it is ready. */
export function startService({ command, environment, logFile }: ServiceStart): StartedService {
  const log = openLog(logFile);
  const logStart = sizeOf(logFile);
  const child = spawnWithWatchdog(
    { command, cwd: process.cwd(), env: environment, stdio: ["ignore", log, log] },
    { first: "SIGTERM", last: "SIGKILL", graceSeconds: GRACE_SECONDS },
  );
  closeLog(log);
  if (child.pid === undefined) throw new TypeError(`${command[0]} cannot be run`);
  const ended = endOf(child);
  return {
    pid: child.pid,
    logStart,
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
