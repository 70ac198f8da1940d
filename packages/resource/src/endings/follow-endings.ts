import { setTimeout as delay } from "node:timers/promises";
import { type Clock, createTrouble, type Log } from "@cobs/service-edge";
import type { EndingBatch, EndingSource, EndingTaker, Place } from "./ending.ts";
import { EndingsRefusal } from "./endings-refusal.ts";

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
const RETRY_MILLISECONDS = 250;
/**
 * How long the feed must go on without a new beginning before the trouble counts as over. If two databases share one name,
 * the right one answers by chance, even several times in a row.
 */
const GOES_ON_MILLISECONDS = 10_000;

/**
 * Begins with the stop list and follows the events from its position on, one question after the other, until it is stopped.
 * Whenever the feed does not go on from a place, because auth does not know the place or there is a gap, all takers forget
 * everything and begin anew. If that happens again before the feed has gone on for a while, a pause precedes the next
 * question.
 */
export function followEndings(source: EndingSource, options: FollowingOptions): FollowedEndings {
  const { takers, clock, log, freshnessSeconds } = options;
  let place: Place | undefined;
  let provenAt = Number.NEGATIVE_INFINITY;
  let headAtAuth = 0;
  let anew = { times: 0, lastAt: 0 };
  let beginning: Promise<void> | undefined;
  let catching: { readonly sentAt: number; readonly what: Promise<void> } | undefined;

  const ageOf = (sentAt: number) => (clock.monotonicMilliseconds() - sentAt) / 1000;
  const isWithinBound = (sentAt: number) => ageOf(sentAt) <= freshnessSeconds;

  async function beginOnce(): Promise<void> {
    const sentAt = clock.monotonicMilliseconds();
    const begun = await source.begin();
    for (const taker of takers) taker.begin(begun.blocked);
    place = { position: begun.position, mark: begun.mark };
    provenAt = sentAt;
  }

  function begin(): Promise<void> {
    beginning ??= beginOnce().finally(() => {
      beginning = undefined;
    });
    return beginning;
  }

  function beginAnew({ position }: Place): Promise<void> {
    anew = { times: anew.times + 1, lastAt: clock.monotonicMilliseconds() };
    if (anew.times === 1)
      log.warn({ position }, "the event feed of auth cannot continue from this position; starting over");
    return begin();
  }

  function tellWhenItGoesOn(): void {
    if (anew.times === 0 || clock.monotonicMilliseconds() - anew.lastAt < GOES_ON_MILLISECONDS) return;
    anew.times = 0;
    log.info("the event feed of auth continues again");
  }

  /**
   * Takes the events of a batch, and returns false when there is a gap. Events that another question already brought are
   * skipped.
   */
  function takeAll({ endings, head }: EndingBatch, after: number): boolean {
    let expected = after;
    for (const each of endings) {
      expected += 1;
      if (each.position !== expected) return false;
      if (place === undefined || each.position > place.position + 1) return false;
      if (each.position <= place.position) continue;
      for (const taker of takers) taker.take(each.ending);
      place = { position: each.position, mark: each.mark };
    }
    return head === expected || (head > expected && endings.length > 0);
  }

  /** Asks one question; returns false when there is more to ask for at once. */
  async function ask(waitMilliseconds: number, signal?: AbortSignal): Promise<boolean> {
    if (place === undefined) return begin().then(() => true);
    const from = place;
    const sentAt = clock.monotonicMilliseconds();
    const batch = await source.after(from, waitMilliseconds, signal);
    headAtAuth = batch?.head ?? headAtAuth;
    if (batch === undefined || !takeAll(batch, from.position)) return beginAnew(from).then(() => true);
    tellWhenItGoesOn();
    if (place.position < batch.head) return false;
    provenAt = Math.max(provenAt, sentAt);
    return true;
  }

  async function askUntilHead(): Promise<void> {
    while (!(await ask(0)));
  }

  async function askAndWait(signal: AbortSignal): Promise<void> {
    const before = anew.times;
    await ask(HEARTBEAT_MILLISECONDS, signal);
    // With nothing remembered, every call asks auth. Without a pause, an auth whose processes use two databases would be
    // asked without end.
    if (anew.times > Math.max(before, 1)) await delay(RETRY_MILLISECONDS, undefined, { signal });
  }

  const following = keepAsking(askAndWait, log);
  return {
    position: () => place?.position,
    isFresh: () => isWithinBound(provenAt),
    ageSeconds: () => ageOf(provenAt),
    behind: () => Math.max(0, headAtAuth - (place?.position ?? headAtAuth)),
    catchUp: async () => {
      if (catching !== undefined && isWithinBound(catching.sentAt)) return catching.what;
      const question = { sentAt: clock.monotonicMilliseconds(), what: askUntilHead() };
      catching = question;
      return question.what.finally(() => {
        if (catching === question) catching = undefined;
      });
    },
    hasBegun: async () => {
      if (place !== undefined) return true;
      return begin().then(
        () => true,
        () => false,
      );
    },
    stop: following.stop,
  };
}

/** Asks in a loop, with a pause after each failure. */
function keepAsking(ask: (signal: AbortSignal) => Promise<void>, log: Log): Pick<FollowedEndings, "stop"> {
  const tell = tellTrouble(log);
  const pausing = new AbortController();
  let asking = new AbortController();
  async function run(): Promise<void> {
    while (!pausing.signal.aborted) {
      // One controller per question: a long-lived signal keeps everything that ever listened to it.
      asking = new AbortController();
      const trouble = await ask(asking.signal).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (pausing.signal.aborted) return;
      tell(trouble);
      if (trouble === undefined) continue;
      await delay(RETRY_MILLISECONDS, undefined, { signal: pausing.signal }).catch(() => {});
    }
  }
  const running = run();
  return {
    stop: () => {
      pausing.abort();
      asking.abort();
      return running;
    },
  };
}

/** Logs each reason why following fails once, and one line when it works again, however often it is tried meanwhile. */
function tellTrouble(log: Log): (error: unknown) => void {
  const trouble = createTrouble();
  return (error) => {
    if (error === undefined) {
      if (trouble.end()) log.info("the event feed of auth is being read again");
    } else if (trouble.isNews(error)) {
      const detail = error instanceof EndingsRefusal ? error.detail : undefined;
      log.warn({ error, detail }, "the event feed of auth cannot be read");
    }
  };
}
