import cluster, { type Worker } from "node:cluster";
import { isReport, type Order, type Question } from "./messages.ts";

/** How a process ended; with `error`, it never started. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly error?: Error;
}

/** A process that serves, as the first process sees it. */
export interface ServingProcess {
  readonly number: number;
  readonly pid: number;
  readonly isReady: boolean;
  /** Asks a question; undefined if the process does not answer in time. */
  ask(question: Question): Promise<unknown>;
  stop(reason: string): void;
  kill(): void;
  readonly ended: Promise<ProcessEnd>;
}

/** Option that tells a process its number. */
export const NUMBER_OPTION = "--process";

/**
 * Most milliseconds to wait for each answer. To answer the operator, a process may ask its database, and gets as long as any
 * call: otherwise a process whose database hangs would report no metrics, including those that show it. Whether it lives, it
 * answers at once.
 */
const ANSWER_LIMITS_MILLISECONDS: Readonly<Record<Question, number>> = {
  readiness: 5_000,
  metrics: 5_000,
  life: 2_000,
};

/** Starts a process, which is not ready yet. */
export function startServingProcess(number: number): ServingProcess {
  // Not JSON, which would turn an age that is infinite into null, reported as 0.
  cluster.setupPrimary({ args: [`${NUMBER_OPTION}=${number}`], serialization: "advanced" });
  const worker = cluster.fork();
  const waiting = new Map<number, (answer: unknown) => void>();
  let lastId = 0;
  let isReady = false;
  let hears = false;
  let stopReason: string | undefined;
  worker.on("message", (value: unknown) => {
    if (!isReport(value)) return;
    if (value.kind === "answer") waiting.get(value.id)?.(value.answer);
    else if (value.kind === "ready") isReady = true;
    else if (stopReason !== undefined) send(worker, { kind: "stop", reason: stopReason });
    hears = true;
  });

  /** Tells the process to stop, or will once it hears. */
  function stop(reason: string): void {
    stopReason ??= reason;
    if (hears) send(worker, { kind: "stop", reason });
  }

  function ask(question: Question): Promise<unknown> {
    const id = ++lastId;
    return new Promise((resolve) => {
      const answer = (value: unknown) => {
        clearTimeout(limit);
        waiting.delete(id);
        resolve(value);
      };
      const limit = setTimeout(answer, ANSWER_LIMITS_MILLISECONDS[question], undefined);
      waiting.set(id, answer);
      if (!send(worker, { kind: "ask", id, question })) answer(undefined);
    });
  }

  return {
    number,
    pid: worker.process.pid ?? 0,
    get isReady() {
      return isReady;
    },
    ask,
    stop,
    kill: () => void worker.process.kill("SIGKILL"),
    ended: endOf(worker),
  };
}

function endOf(worker: Worker): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    worker.once("exit", (code, signal) => resolve({ code, signal }));
    // Without a listener, an error would end the first process, and with it all others.
    worker.on("error", (error) => {
      if (worker.process.pid === undefined) resolve({ code: null, signal: null, error });
    });
  });
}

function send(worker: Worker, order: Order): boolean {
  if (!worker.isConnected()) return false;
  worker.send(order, () => undefined);
  return true;
}
