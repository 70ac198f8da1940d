import { setTimeout as delay } from "node:timers/promises";
import type { Clock, Log } from "@cobs/service-edge";
import type { EndingSource, EndingTaker, Place } from "./ending.ts";
import { keepAsking, RETRY_MILLISECONDS } from "./keep-asking.ts";
import { countNewBeginnings } from "./new-beginnings.ts";
import { takeEndings } from "./taken-endings.ts";

/** Endings that are being followed. */
export interface Endings {
  /** Position up to which every event was taken; undefined before the beginning. Never waits. */
  position(): number | undefined;
  /**
   * Whether every ending older than `freshnessSeconds` was taken: the newest question whose answer left no gap was sent at
   * most that long ago on the monotonic clock. Counted from the answer, a slow answer could outlive the bound.
   */
  isFresh(): boolean;
  /** Seconds since that question was sent; infinite before the beginning. */
  ageSeconds(): number;
  /** Number of events that auth had at its last answer and that were not taken yet. */
  behind(): number;
  /** Asks auth now and takes its events; throws what the source throws. Concurrent callers share a question. */
  catchUp(): Promise<void>;
  /** Whether following has begun; tries to begin if it has not. */
  hasBegun(): Promise<boolean>;
}

/** Endings whose following can be stopped. */
export type FollowedEndings = Endings & { stop(): Promise<void> };

/** How endings are followed. */
export interface FollowingOptions {
  readonly takers: readonly EndingTaker[];
  readonly freshnessSeconds: number;
  readonly clock: Clock;
  /** Logs when auth cannot be followed any more, or only from a new beginning, and when it can be followed again. */
  readonly log: Log;
}

/** Auth answers within this time at the latest, and each answer says that nothing is missing. */
const HEARTBEAT_MILLISECONDS = 1_000;

/**
 * Begins with the stop list and follows the events from its position on, one question after the other, until it is stopped.
 * Whenever the feed does not go on from a place, because auth does not know the place or there is a gap, all takers forget
 * everything and begin anew. If that happens again before the feed has gone on for a while, a pause precedes the next
 * question.
 */
export function followEndings(source: EndingSource, options: FollowingOptions): FollowedEndings {
  const { takers, clock, log, freshnessSeconds } = options;
  const taken = takeEndings(takers);
  const anew = countNewBeginnings(clock, log);
  let provenAt = Number.NEGATIVE_INFINITY;
  let headAtAuth = 0;
  let beginning: Promise<void> | undefined;
  let catching: { readonly sentAt: number; readonly what: Promise<void> } | undefined;

  const ageOf = (sentAt: number) => (clock.monotonicMilliseconds() - sentAt) / 1000;
  const isWithinBound = (sentAt: number) => ageOf(sentAt) <= freshnessSeconds;

  async function beginOnce(): Promise<void> {
    const sentAt = clock.monotonicMilliseconds();
    taken.begin(await source.begin());
    provenAt = sentAt;
  }

  function begin(): Promise<void> {
    beginning ??= beginOnce().finally(() => {
      beginning = undefined;
    });
    return beginning;
  }

  function beginAnew(from: Place): Promise<void> {
    anew.count(from);
    return begin();
  }

  /** Asks one question; returns false when there is more to ask for at once. */
  async function ask(waitMilliseconds: number, signal?: AbortSignal): Promise<boolean> {
    const from = taken.place();
    if (from === undefined) return begin().then(() => true);
    const sentAt = clock.monotonicMilliseconds();
    const batch = await source.after(from, waitMilliseconds, signal);
    headAtAuth = batch?.head ?? headAtAuth;
    const position = batch && taken.takeAll(batch, from.position);
    if (batch === undefined || position === undefined) return beginAnew(from).then(() => true);
    anew.goesOn();
    if (position < batch.head) return false;
    provenAt = Math.max(provenAt, sentAt);
    return true;
  }

  async function askUntilHead(): Promise<void> {
    while (!(await ask(0)));
  }

  async function askAndWait(signal: AbortSignal): Promise<void> {
    const before = anew.times();
    await ask(HEARTBEAT_MILLISECONDS, signal);
    // With nothing remembered, every call asks auth. Without a pause, an auth whose processes use two databases would be
    // asked without end.
    if (anew.times() > Math.max(before, 1)) await delay(RETRY_MILLISECONDS, undefined, { signal });
  }

  /** Concurrent callers share a question, unless it was sent too long ago. */
  async function catchUp(): Promise<void> {
    if (catching !== undefined && isWithinBound(catching.sentAt)) return catching.what;
    const question = { sentAt: clock.monotonicMilliseconds(), what: askUntilHead() };
    catching = question;
    return question.what.finally(() => {
      if (catching === question) catching = undefined;
    });
  }

  const following = keepAsking(askAndWait, log);
  return {
    position: () => taken.place()?.position,
    isFresh: () => isWithinBound(provenAt),
    ageSeconds: () => ageOf(provenAt),
    behind: () => Math.max(0, headAtAuth - (taken.place()?.position ?? headAtAuth)),
    catchUp,
    hasBegun: async () => {
      if (taken.place() !== undefined) return true;
      return begin().then(
        () => true,
        () => false,
      );
    },
    stop: following.stop,
  };
}
