import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import type { RawAnswer } from "../../support/raw-https.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";

/** Two processes of one server, which take calls in turn. */
export interface LimitedAuth {
  readonly auth: RunningAuth;
  readonly second: RunningAuth;
  /** Calls many times at once, alternating between both processes. */
  often<T>(times: number, call: (at: RunningAuth, index: number) => Promise<T>): Promise<readonly T[]>;
  /** Empties all buckets, including those in the memory of both processes. */
  forget(): Promise<void>;
  /** Lets the time pass that an answer says to wait. */
  wait(seconds: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts both with the same limits. */
export async function runLimited(limits: Readonly<Record<string, string>>): Promise<LimitedAuth> {
  const auth = await runAuth(limits);
  const second = await runAuth(limits, auth);
  let told = performance.now();
  return {
    auth,
    second,
    often: (times, call) =>
      Promise.all(Array.from({ length: times }, (_, index) => call(index % 2 === 0 ? auth : second, index))),
    forget: async () => {
      await auth.database.run({ name: "forget-limits", text: "TRUNCATE rate_limit", values: [] });
      auth.clock.advance(120_000);
      told = performance.now();
    },
    // In tests the processes' own clock stands still. The store's clock does not: it has advanced since the first call.
    wait: async (seconds) => {
      await delay(seconds * 1000);
      auth.clock.advance(performance.now() - told);
      told = performance.now();
    },
    stop: async () => {
      await second.stop();
      await auth.stop();
    },
  };
}

/** Calls of a flood, and their outcome. */
interface Flood {
  readonly calls: number;
  readonly call: (at: RunningAuth, index: number) => Promise<RawAnswer>;
  /** Status of an accepted call; every other call gets 429. */
  readonly status: number;
  readonly perMinute: number;
}

/**
 * Calls many times at once, and expects that exactly a minute's allowance is accepted, plus at most what drains from the bucket
 * while a slow machine makes the calls. Returns the refused answers. They are told to wait for one call to drain, counted from
 * the start of their statement, which may precede that of the first counted call by as much.
 */
export async function expectFlood(limited: LimitedAuth, flood: Flood): Promise<readonly RawAnswer[]> {
  const started = performance.now();
  const answers = await limited.often(flood.calls, flood.call);
  const took = performance.now() - started;
  const runOut = Math.floor((took * flood.perMinute) / 60_000);
  const taken = answers.filter(({ status }) => status === flood.status);
  const refused = answers.filter(({ status }) => status === 429);
  expect(taken.length).to.be.within(flood.perMinute, flood.perMinute + runOut);
  expect(refused).to.have.length(flood.calls - taken.length);
  const longest = Math.ceil((60_000 / flood.perMinute + took) / 1000);
  for (const answer of refused) expect(readRetryAfter(answer)).to.be.within(1, longest);
  return refused;
}

/**
 * The answer to a call that exceeds the limit. While a slow machine made the preceding flood, one or two calls may have drained
 * from the bucket; a bucket of its own would accept more.
 */
export async function oneTooMany(call: () => Promise<RawAnswer>): Promise<RawAnswer> {
  for (let left = 2; left > 0; left -= 1) {
    const answer = await call();
    if (answer.status === 429) return answer;
  }
  return call();
}

/** Expects a refusal in OAuth's form; returns the seconds to wait. */
export function expectLimited(answer: RawAnswer): number {
  expect(answer.status, answer.body).to.equal(429);
  expect(JSON.parse(answer.body).error).to.equal("temporarily_unavailable");
  expect(answer.headers["content-type"]).to.match(/^application\/json/);
  expect(answer.headers["cache-control"]).to.equal("no-store");
  return readRetryAfter(answer);
}

/** `Retry-After` in whole seconds (RFC 9110 10.2.3). */
export function readRetryAfter({ headers }: RawAnswer): number {
  expect(headers["retry-after"]).to.match(/^[1-9][0-9]*$/);
  return Number(headers["retry-after"]);
}
