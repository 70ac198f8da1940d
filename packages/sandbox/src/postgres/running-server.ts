import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { isRunning } from "../processes/process-identity.ts";
import { unrefWithWatchdog } from "../processes/spawn-with-watchdog.ts";
import { SUPERUSER } from "./create-cluster.ts";
import { connectionUrl, type PostgresEnd, type PostgresServer } from "./postgres-server.ts";

/** What both kinds of running server have. */
export interface ServerFacts {
  readonly port: number;
  readonly pid: number;
  readonly majorVersion: number;
  readonly superuserPassword: string;
}

const HOST = "127.0.0.1";
const STOP_STEPS = [
  { signal: "SIGINT", waitMs: 8_000 },
  { signal: "SIGQUIT", waitMs: 4_000 },
  { signal: "SIGKILL", waitMs: 2_000 },
] as const;
const GUEST_POLL_MS = 250;

/** A server that we started; `afterEnd` runs once it has ended, before `ended` and `stop` resolve. */
export function ownedServer(
  facts: ServerFacts,
  child: ChildProcess,
  afterEnd: () => Promise<void>,
): PostgresServer {
  let stopping: Promise<void> | undefined;
  const ended = endOf(child, () => stopping !== undefined, afterEnd);
  return {
    ...described(facts),
    owned: true,
    ended,
    unref: () => unrefWithWatchdog(child),
    stop: () => {
      stopping ??= stopChild(child, ended);
      return stopping;
    },
  };
}

/** A server that another process started and will stop. */
export function attachedServer(facts: ServerFacts): PostgresServer {
  return {
    ...described(facts),
    owned: false,
    ended: endOfStranger(facts.pid),
    unref: () => undefined,
    stop: () => Promise.resolve(),
  };
}

function described({ superuserPassword: password, ...facts }: ServerFacts) {
  const superuserUrl = (database = SUPERUSER) =>
    connectionUrl(facts.port, { role: SUPERUSER, password, database });
  return { ...facts, host: HOST, superuserUrl };
}

async function endOf(
  child: ChildProcess,
  wasStopped: () => boolean,
  afterEnd: () => Promise<void>,
): Promise<PostgresEnd> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  const end = { exitCode: child.exitCode, signal: child.signalCode, stopped: wasStopped() };
  await afterEnd().catch(() => undefined);
  return end;
}

async function endOfStranger(pid: number): Promise<PostgresEnd> {
  while (isRunning(pid)) await delay(GUEST_POLL_MS, undefined, { ref: false });
  return { exitCode: null, signal: null, stopped: false };
}

async function stopChild(child: ChildProcess, ended: Promise<PostgresEnd>): Promise<void> {
  for (const { signal, waitMs } of STOP_STEPS) {
    child.kill(signal);
    const timeout = new AbortController();
    const given = delay(waitMs, "too long", { signal: timeout.signal }).catch(() => "stopped");
    const outcome = await Promise.race([ended, given]);
    timeout.abort();
    if (outcome !== "too long") return;
  }
}
