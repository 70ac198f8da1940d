import type { GuardedFetch } from "../client/guarded-fetch.ts";
import { OutsideFetchError } from "../client/outside-fetch-error.ts";
import type { PrivateAnswer, PrivateClient } from "../client/private-client.ts";
import { DurationMetric, type Durations } from "./duration-metric.ts";
import type { ProcessMetrics } from "./process-metrics.ts";

/**
 * How a request ended:
 * - `answered`: with a whole answer
 * - `refused`: with a whole answer of status 4xx
 * - `failed`: with a whole answer of status 5xx
 * - `unanswered`: without a whole answer in time, or with one that is not accepted
 * - `given_up`: nobody here waited for the answer any more
 */
const OUTCOMES = ["answered", "refused", "failed", "unanswered", "given_up"] as const;

type Outcome = (typeof OUTCOMES)[number];

/**
 * Times the requests that a process sends to others. `target` says whom it asks and for what: a closed list of the code, never
 * a host, because TPPs and authorities choose theirs.
 */
export interface OutgoingMetrics {
  /** Returns a client that also times each call, a repetition on a new connection included. */
  ofClient(client: PrivateClient, target: string): PrivateClient;
  /** Returns a fetch that also times each question, redirects included. */
  ofFetch(fetch: GuardedFetch["fetch"], target: string): GuardedFetch["fetch"];
}

/** Times one request, and counts it under the outcome of its answer or of its error. */
type Time = <Answer>(
  send: () => Promise<Answer>,
  outcomeOf: {
    readonly answer: (answer: Answer) => Outcome;
    readonly error: (error: unknown) => Outcome;
  },
) => Promise<Answer>;

/** Adds the metric of outgoing requests to those of a process; once per process. */
export function createOutgoingMetrics({ registry }: Pick<ProcessMetrics, "registry">): OutgoingMetrics {
  const durations = new DurationMetric({
    name: "outgoing_request_duration_seconds",
    help: "Time of a request to another party until its whole answer, by outcome: answered, refused (4xx), failed (5xx), unanswered, or given up here.",
    labelNames: ["target", "outcome"],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registry,
  });
  const timers = new Map<string, Time>();
  const timerOf = (target: string) => {
    const known = timers.get(target);
    if (known !== undefined) return known;
    const made = createTimer(durations, target);
    timers.set(target, made);
    return made;
  };
  return {
    ofClient: (client, target) => timeClient(client, timerOf(target)),
    ofFetch: (fetch, target) => timeFetch(fetch, timerOf(target)),
  };
}

/** Begins the series of a target at 0, so that its first failure counts as growth. */
function createTimer(durations: DurationMetric, target: string): Time {
  const begin = (outcome: Outcome): [Outcome, Durations] => [outcome, durations.kind({ target, outcome })];
  const kinds = new Map(OUTCOMES.map(begin));
  const add = (outcome: Outcome, started: number) => {
    const kind = kinds.get(outcome);
    if (kind !== undefined) durations.add(kind, (performance.now() - started) / 1000);
  };
  return async (send, outcomeOf) => {
    const started = performance.now();
    try {
      const answer = await send();
      add(outcomeOf.answer(answer), started);
      return answer;
    } catch (error) {
      add(outcomeOf.error(error), started);
      throw error;
    }
  };
}

function timeClient(client: PrivateClient, time: Time): PrivateClient {
  const timed = (send: () => Promise<PrivateAnswer>, signal?: AbortSignal) =>
    time(send, {
      answer: ({ status }) => outcomeOfStatus(status),
      error: () => (signal?.aborted === true ? "given_up" : "unanswered"),
    });
  return {
    ...client,
    get: (path, headers, signal) => timed(() => client.get(path, headers, signal), signal),
    postForm: (...call) => timed(() => client.postForm(...call)),
    postJson: (...call) => timed(() => client.postJson(...call)),
    delete: (...call) => timed(() => client.delete(...call)),
  };
}

function timeFetch(fetch: GuardedFetch["fetch"], time: Time): GuardedFetch["fetch"] {
  return (question) => time(() => fetch(question), { answer: () => "answered", error: outcomeOutside });
}

function outcomeOfStatus(status: number): Outcome {
  if (status >= 500) return "failed";
  return status >= 400 ? "refused" : "answered";
}

/** Outside the bank only status 200 is an answer: of the others, only errors say that somebody has answered. */
function outcomeOutside(error: unknown): Outcome {
  const status = error instanceof OutsideFetchError ? error.status : undefined;
  return status === undefined || status < 400 ? "unanswered" : outcomeOfStatus(status);
}
