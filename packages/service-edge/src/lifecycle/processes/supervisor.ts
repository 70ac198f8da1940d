import cluster from "node:cluster";
import type { ReadinessCheck } from "../../operator-listener.ts";
import type { Ending } from "../stop-on-signals.ts";
import { isOrder, type Order, type ProcessFigures, type Report } from "./messages.ts";

/** What a process that serves tells of itself. */
export interface ProcessAnswers {
  readonly readiness: ReadinessCheck;
  readonly metrics: () => Promise<ProcessFigures>;
}

/** The first process, as one that serves sees it: it has the operator listener, and says when to end. */
export interface Supervisor {
  /** From 1; a process that takes the place of another has the same number. */
  readonly number: number;
  answer(answers: ProcessAnswers): void;
  ready(): void;
}

/**
 * The way to the first process, in a process that it has started. Orders to end come from there: a terminal sends Ctrl-C, and
 * its own end, to all processes at once, and only one of them decides. SIGTERM to one process alone ends that one, and another
 * takes its place.
 */
export function connectSupervisor(number: number, ending: Ending): Supervisor {
  let answers: ProcessAnswers | undefined;
  let isEnding = false;
  // Never twice: it may be told from outside and by the first process, at whatever distance. Who wants an end at once asks the
  // first process a second time, which ends all the others itself.
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
  };
}

async function report(
  { id, question }: Extract<Order, { kind: "ask" }>,
  answers: ProcessAnswers | undefined,
): Promise<void> {
  const answer = question === "life" || (await answers?.[question]().catch(() => undefined));
  send({ kind: "answer", id, answer });
}

function send(told: Report): void {
  // The first process may have gone: then this one goes too.
  if (cluster.worker?.isConnected()) process.send?.(told);
}
