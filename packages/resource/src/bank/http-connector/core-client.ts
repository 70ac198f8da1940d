import { afterLimit, createFairSlots, expiryOf, type ServiceParts } from "@cobs/service-edge";
import { BankRefusal } from "../bank-refusal.ts";
import { CoreUnavailable } from "../core-unavailable.ts";
import type { CallTrace } from "./call-trace.ts";
import { createCoreCircuits } from "./core-circuits.ts";
import { openCoreExchange } from "./core-exchange.ts";
import { type CoreOutcome, createCoreMetrics } from "./core-metrics.ts";
import type { CoreQuestion } from "./core-questions.ts";
import type { CoreSettings } from "./core-settings.ts";
import { MisnamedAnswer } from "./json-members.ts";
import { judgeAnswer } from "./judge-answer.ts";

/** Asks a core system. */
export interface CoreClient {
  /** Asks a question. Refuses with one of its `BankRefusal`s; otherwise throws `CoreUnavailable` within the time limit. */
  ask<T>(question: CoreQuestion<T>): Promise<T>;
  close(): Promise<void>;
}

/** What a client needs of its process; `trace` gives the call being served, `party` for whom a question is asked. */
export type CoreClientParts = Pick<ServiceParts, "log" | "clock" | "metrics"> & {
  readonly trace: () => CallTrace | undefined;
  readonly party: () => string;
};

/** Waiting calls per concurrent call: more would not get their turn in time. */
const WAITING_PER_SLOT = 4;
/** Share of the time limit that a call may wait for its turn; the rest is for the core system's answer. */
const WAITING_SHARE = 0.25;

/** Opens a client of one core system. It connects on the first question. */
export function openCoreClient(settings: CoreSettings, parts: CoreClientParts): CoreClient {
  const { timeoutMilliseconds, callsAtOnce } = settings;
  const exchange = openCoreExchange(settings);
  const circuits = createCoreCircuits(parts.log, parts.clock);
  const slots = createFairSlots({
    atOnce: callsAtOnce,
    mostWaiting: callsAtOnce * WAITING_PER_SLOT,
    waitMilliseconds: timeoutMilliseconds * WAITING_SHARE,
    refuse: (why) => new CoreUnavailable("core_busy", why),
  });
  const metrics = createCoreMetrics(parts.metrics, {
    circuits: circuits.states,
    waiting: slots.waiting,
  });

  /** Judges the answer within the circuits, so that they can tell an answer from a failure. */
  async function exchangeAndJudge<T>(question: CoreQuestion<T>, signal: AbortSignal): Promise<T> {
    if (signal.aborted) throw new CoreUnavailable("core_busy", "no free slot in time");
    const { path, sends } = question;
    const answer = await exchange.send({ path, sends, trace: parts.trace(), signal });
    try {
      return judgeAnswer(answer, question);
    } catch (error) {
      // A core system that is one answer behind on a connection stays so as long as the connection lives.
      if (error instanceof CoreUnavailable && error.cause instanceof MisnamedAnswer)
        exchange.leaveConnections();
      throw error;
    }
  }

  async function askInTime<T>(question: CoreQuestion<T>): Promise<T> {
    const limit = new AbortController();
    const timer = afterLimit(timeoutMilliseconds, () =>
      limit.abort(
        new CoreUnavailable("core_timed_out", `no complete answer within ${timeoutMilliseconds} ms`),
      ),
    );
    // Circuits come before slots: a question that is refused at once takes no other question's turn.
    const answer = circuits.run(question, () =>
      slots.run(parts.party(), () => exchangeAndJudge(question, limit.signal)),
    );
    try {
      return await Promise.race([answer, expiryOf(limit.signal)]);
    } finally {
      clearTimeout(timer);
    }
  }

  async function ask<T>(question: CoreQuestion<T>): Promise<T> {
    const started = parts.clock.monotonicMilliseconds();
    const observe = (outcome: CoreOutcome) => {
      const seconds = (parts.clock.monotonicMilliseconds() - started) / 1000;
      metrics.observe({ operation: question.operation, outcome, seconds });
    };
    try {
      const answer = await askInTime(question);
      observe("answered");
      return answer;
    } catch (error) {
      observe(outcomeOf(error));
      if (error instanceof CoreUnavailable) error.operation = question.operation;
      throw error;
    }
  }

  return { ask, close: exchange.close };
}

function outcomeOf(error: unknown): CoreOutcome {
  if (error instanceof CoreUnavailable) return error.code;
  return error instanceof BankRefusal ? "refused" : "answer_malformed";
}
