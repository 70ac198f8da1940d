import cluster from "node:cluster";
import { once } from "node:events";
import type { ReadinessCheck } from "../../operator-listener.ts";
import type { Ending } from "../stop-on-signals.ts";
import { isOrder, type Order, type ProcessFigures, type Report } from "./messages.ts";

/** Answers that a serving process gives about itself. */
export interface ProcessAnswers {
  readonly readiness: ReadinessCheck;
  readonly metrics: () => Promise<ProcessFigures>;
}

/** The first process, as a serving process sees it: it has the operator listener, and says when to end. */
export interface Supervisor {
  /** Number of this process, from 1; a replacement gets the same number. */
  readonly number: number;
  answer(answers: ProcessAnswers): void;
  ready(): void;
  /**
   * Called when this process accepts no more connections; resolves when the first process hands it none any more. Until then one
   * may be on its way, and would be lost with this process; what comes now goes back, to another process.
   */
  leave(): Promise<void>;
}

/**
 * Connects a serving process to the first process, which decides when all end: a terminal sends Ctrl-C, and a hangup, to all
 * processes at once, and only one may decide. SIGTERM to one serving process ends only that process, and another replaces it.
 */
export function connectSupervisor(number: number, ending: Ending): Supervisor {
  let answers: ProcessAnswers | undefined;
  let isEnding = false;
  // Asks at most once: the request may come from outside and from the first process, at any interval. Whoever wants an
  // immediate end asks the first process a second time, which itself ends all the others.
  const askOnce = (reason: string) => {
    if (!isEnding) ending.ask(reason);
    isEnding = true;
  };
  process.on("message", (value: unknown) => {
    if (!isOrder(value)) return;
    if (value.kind === "stop") askOnce(value.reason);
    else void report(value, answers);
  });
  send({ kind: "hears" });
  process.on("SIGINT", () => undefined).on("SIGHUP", () => undefined);
  process.on("SIGTERM", askOnce);
  return {
    number,
    answer: (given) => {
      answers = given;
    },
    ready: () => send({ kind: "ready" }),
    leave,
  };
}

async function leave(): Promise<void> {
  const { worker } = cluster;
  if (!worker?.isConnected()) return;
  const left = once(worker, "disconnect");
  worker.disconnect();
  await left;
}

async function report(
  { id, question }: Extract<Order, { kind: "ask" }>,
  answers: ProcessAnswers | undefined,
): Promise<void> {
  const answer = question === "life" || (await answers?.[question]().catch(() => undefined));
  send({ kind: "answer", id, answer });
}

function send(told: Report): void {
  // If the first process is gone, this one goes too.
  if (cluster.worker?.isConnected()) process.send?.(told);
}
