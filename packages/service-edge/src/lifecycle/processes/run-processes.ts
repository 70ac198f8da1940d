/**
 * The first process of a service that runs in several: it starts those that serve, replaces any that ends, has the operator
 * listener, and ends them all. It opens no database and sees no call; Node hands each new connection to the next process.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Registry } from "prom-client";
import type { Log } from "../../log/log.ts";
import { addPoolMetrics } from "../../metrics/pool-metrics.ts";
import { tellLostLines } from "../../metrics/process-metrics.ts";
import { openOperatorListener } from "../../operator-listener.ts";
import type { Listener } from "../../tls/tls-listener.ts";
import { createEnding, type Ending, endOnSignals } from "../stop-on-signals.ts";
import { endSilentProcesses } from "./end-silent-processes.ts";
import { gatherMetrics, gatherReadiness } from "./gather-answers.ts";
import { type ProcessEnd, type ServingProcess, startServingProcess } from "./serving-process.ts";

/** Number of processes, and the configuration that the first process needs. */
export interface ProcessesPlan {
  /** Name of the service. */
  readonly service: string;
  readonly count: number;
  readonly log: Log;
  readonly operatorHost: string;
  readonly operatorPort: number;
}

const FIRST_WAIT_MILLISECONDS = 100;
const LONGEST_WAIT_MILLISECONDS = 10_000;
const LONG_ENOUGH_MILLISECONDS = 10_000;

/**
 * Runs the processes until a signal ends them all; resolves with the exit code. Rejects, and starts none, if the operator
 * listener cannot open.
 */
export async function runProcesses(plan: ProcessesPlan): Promise<number> {
  const pool = createPool(plan);
  const listener = await openOperator(plan, pool);
  const ended = pool.start();
  const watching = endSilentProcesses(pool.processes, plan.log);
  endOnSignals(endAll(pool, plan.log));
  const code = await ended;
  await watching.stop();
  await listener.close(0);
  return code;
}

interface Pool {
  readonly running: boolean;
  processes(): readonly ServingProcess[];
  stop(reason: string): void;
  kill(): void;
  /** Resolves when all have ended, with the exit code for all. */
  start(): Promise<number>;
}

function createPool({ count, log }: ProcessesPlan): Pool {
  const current = new Map<number, ServingProcess>();
  const stopping = new AbortController();
  let wasReady = false;
  let code = 0;

  function stopAll(reason: string): void {
    stopping.abort();
    for (const each of current.values()) each.stop(reason);
  }

  /** Runs one process to its end; returns how long it ran, in milliseconds. */
  async function runOnce(number: number): Promise<number> {
    const since = performance.now();
    const started = startServingProcess(number);
    current.set(number, started);
    const { pid } = started;
    const end = await started.ended;
    current.delete(number);
    wasReady ||= [started, ...current.values()].some(({ isReady }) => isReady);
    if (!wasReady && end.error !== undefined) throw end.error;
    takeEnd(end, { process: number, pid, ...end });
    return performance.now() - since;
  }

  function takeEnd(end: ProcessEnd, told: object): void {
    const isOrderly = end.code === 0;
    if (stopping.signal.aborted) {
      // What kept one from starting counts for all, however the others then end.
      if (!isOrderly && code === 0) code = 1;
    } else if (wasReady || isOrderly) log.warn(told, whatEnded(end));
    else {
      // What stops the first processes from starting would stop all, so the service ends as a single process would. What stops
      // a later one, such as a certificate whose key is not replaced yet, is no reason to end those that serve.
      code = end.code ?? 1;
      log.error(told, "a process could not start; all processes end");
      stopAll("a process could not start");
    }
  }

  async function keep(number: number): Promise<void> {
    let wait = FIRST_WAIT_MILLISECONDS;
    while (!stopping.signal.aborted) {
      if ((await runOnce(number)) > LONG_ENOUGH_MILLISECONDS) wait = FIRST_WAIT_MILLISECONDS;
      if (stopping.signal.aborted) return;
      await delay(wait, undefined, { signal: stopping.signal }).catch(() => undefined);
      wait = Math.min(wait * 2, LONGEST_WAIT_MILLISECONDS);
    }
  }

  async function start(): Promise<number> {
    await Promise.all(Array.from({ length: count }, (_, index) => keep(index + 1)));
    return code;
  }

  return {
    get running() {
      return !stopping.signal.aborted;
    },
    processes: () => [...current.values()],
    stop: stopAll,
    kill: () => {
      for (const each of current.values()) each.kill();
    },
    start,
  };
}

function whatEnded({ error }: ProcessEnd): string {
  return error === undefined
    ? "a process has ended; it is replaced"
    : "a process could not be started; it will be retried";
}

function openOperator(
  { service, count, operatorHost: host, operatorPort: port }: ProcessesPlan,
  pool: Pool,
): Promise<Listener> {
  const own = new Registry();
  own.setDefaultLabels({ service });
  tellLostLines(own);
  addPoolMetrics(own, {
    wanted: count,
    ready: () => pool.processes().filter(({ isReady }) => isReady).length,
  });
  const readiness = async () => ({ running: pool.running, ...(await gatherReadiness(pool.processes())) });
  const metrics = { present: () => gatherMetrics(own, pool.processes()) };
  return openOperatorListener({ host, port, readiness, metrics });
}

function endAll(pool: Pool, log: Log): Ending {
  return createEnding(
    (reason) => {
      log.info({ reason }, "stopping all processes");
      pool.stop(reason);
    },
    (reason) => {
      log.warn({ reason }, "ending all processes at once");
      pool.kill();
    },
  );
}
