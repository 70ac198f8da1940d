import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { SERVICE_NODE_OPTIONS } from "@cobs/service-edge";
import { spawnWithWatchdog } from "../../packages/sandbox/src/processes/spawn-with-watchdog.ts";
import { isReady } from "../../packages/sandbox/src/start/await-ready.ts";
import { describeEnd, type ProcessEnd } from "../../packages/sandbox/src/start/running-process.ts";
import { closeLog, logTail, openLog } from "../../packages/sandbox/src/start/service-log.ts";
import type { ServiceName } from "../../packages/sandbox/src/start/service-program.ts";
import type { MemberPorts } from "./topology-ports.ts";

/** One process of a service behind the proxy. */
export interface Member {
  readonly service: ServiceName;
  /** Counted from 0. */
  readonly index: number;
  /** New after each start; that of the last start while the member does not run. */
  readonly pid: number;
  readonly operatorPort: number;
  /** The member's own ports, behind the proxy. */
  readonly ports: MemberPorts;
  readonly logFile: string;
}

/** The parts of a member that stay the same over its starts. */
export interface MemberPlan extends Omit<Member, "pid"> {
  readonly environment: Readonly<Record<string, string>>;
  /** Folder of the built tree that it runs from. */
  readonly root: string;
  readonly commandLine: readonly string[];
}

/** A member that can be started again. */
export interface OwnedMember extends Member {
  readonly running: boolean;
  /** Starts it, from another built tree if one is given, and waits until it is ready. */
  start(root?: string): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Resolves when the running process ends; at once if none runs. */
  ended(): Promise<ProcessEnd>;
}

/** Generous, because a machine on which everything starts at once is slow. */
const READY_LIMIT_MILLISECONDS = 180_000;
const POLL_MILLISECONDS = 50;
/**
 * A member that cannot reach its database in time ends, and is started again, as an orchestrator would, up to this number of
 * starts.
 */
const MOST_STARTS = 3;
/** When this process ends, a member has this long to drain before it is killed. */
const GRACE_SECONDS = 30;

/** Plans a member; does not start it. */
export function createMember(plan: MemberPlan): OwnedMember {
  const { service, index, operatorPort, ports, logFile, environment } = plan;
  let child: ChildProcess | undefined;
  let end: Promise<ProcessEnd> = Promise.resolve("never started");

  async function startOnce(root: string): Promise<void> {
    const log = openLog(logFile);
    const command = [
      process.execPath,
      ...SERVICE_NODE_OPTIONS,
      join(root, "packages", service, "dist", "main.js"),
      ...plan.commandLine,
    ];
    child = spawnWithWatchdog(
      { command, cwd: root, env: environment, stdio: ["ignore", log, log] },
      { first: "SIGTERM", last: "SIGKILL", graceSeconds: GRACE_SECONDS },
    );
    closeLog(log);
    end = endOf(child);
    await untilReady(plan, child);
  }

  async function start(root = plan.root): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const error = await startOnce(root).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (error === undefined) return;
      if (tries === MOST_STARTS) throw error;
    }
  }

  return {
    service,
    index,
    operatorPort,
    ports,
    logFile,
    start,
    get pid() {
      return child?.pid ?? 0;
    },
    get running() {
      return child !== undefined && child.exitCode === null && child.signalCode === null;
    },
    signal: (name) => void child?.kill(name),
    ended: () => end,
  };
}

async function untilReady({ operatorPort, logFile }: MemberPlan, child: ChildProcess): Promise<void> {
  const until = performance.now() + READY_LIMIT_MILLISECONDS;
  while (!(await isReady(operatorPort))) {
    if (child.exitCode !== null || child.signalCode !== null || performance.now() > until)
      throw new Error(`a member did not become ready. The end of ${logFile}:\n${logTail(logFile)}`);
    await delay(POLL_MILLISECONDS);
  }
}

async function endOf(child: ChildProcess): Promise<ProcessEnd> {
  await once(child, "exit").catch(() => undefined);
  return describeEnd(child.exitCode, child.signalCode);
}
