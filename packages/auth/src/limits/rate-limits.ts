/**
 * Limits on how often a caller may call. This folder owns what is counted and how, and how long a caller must wait. It does not
 * own who a caller is or what a refusal looks like. Counts are kept in the store, so a restart forgives nothing.
 */
import type { Clock, Log } from "@cobs/service-edge";
import { LRUCache } from "lru-cache";
import { type Counted, type LimitName, limitsPerMinute } from "./limit.ts";
import type { RateLimitMetrics } from "./rate-limit-metrics.ts";
import type { RateLimitSettings } from "./rate-limit-settings.ts";
import {
  type Bucket,
  type FullBucket,
  MINUTE_MICROSECONDS,
  MOST_OVERFILLED,
  measureOf,
  type RateLimitStore,
} from "./rate-limit-store.ts";
import { RateLimited } from "./rate-limited.ts";

/** Counts requests, and refuses too many with `RateLimited`. */
export interface RateLimits {
  /** Counts a request for all of these limits, or for none when one of them is full. */
  count(counted: readonly Counted[]): Promise<void>;
  /**
   * Counts like `count` while reading something that the request needs anyway; a refused caller learns nothing of what is read.
   */
  countWhile<T>(counted: readonly Counted[], read: () => Promise<T>): Promise<T>;
  /** Counts only in this process: for a request that stores nothing and is not worth a statement. */
  countHere(counted: Counted): void;
  /** Counts a failed client authentication afterwards, with the weight of many requests. Never rejects. */
  penalise(counted: readonly Counted[]): Promise<void>;
}

/** Parts that the limits need. */
export interface RateLimitParts {
  readonly store: RateLimitStore;
  readonly settings: RateLimitSettings;
  readonly metrics: RateLimitMetrics;
  readonly clock: Clock;
  readonly log: Log;
}

/** Full buckets that each process remembers, to refuse without asking the store. */
const MAX_REMEMBERED = 10_000;
/**
 * Limits that refuse when the store fails. Sign-in is one, because guessing would be unlimited; everything else goes on
 * (OPERATING.md, Rate limits).
 */
const NEEDS_STORE: ReadonlySet<LimitName> = new Set(["sign_in_address"]);

/** Creates the limits of one process; all processes with the same store share them. */
export function createRateLimits(parts: RateLimitParts): RateLimits {
  const { store, metrics, clock, log } = parts;
  const perMinute = limitsPerMinute(parts.settings);
  const fullUntil = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  /** Microsecond at which each bucket of this process alone will be empty. */
  const emptyAt = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  const nameOf = ({ limit, of }: Counted) => `${limit} ${of}`;
  const bucketOf = (each: Counted): Bucket => ({ name: nameOf(each), perMinute: perMinute[each.limit] });

  function refuse(counted: readonly Counted[], full: readonly FullBucket[]): void {
    const longest = [...full].sort((a, b) => b.waitMilliseconds - a.waitMilliseconds)[0];
    const { limit } = counted.find((each) => nameOf(each) === longest?.name) ?? {};
    if (longest === undefined || limit === undefined) return;
    metrics.limited(limit);
    throw new RateLimited(limit, longest.waitMilliseconds);
  }

  /** Refuses for remembered full buckets without asking: they have no room before their time, whatever other processes do. */
  function refuseRemembered(counted: readonly Counted[]): void {
    if (fullUntil.size === 0) return;
    const now = clock.monotonicMilliseconds();
    const waits = counted.map((each) => ({
      name: nameOf(each),
      waitMilliseconds: (fullUntil.get(nameOf(each)) ?? now) - now,
    }));
    refuse(
      counted,
      waits.filter(({ waitMilliseconds }) => waitMilliseconds > 0),
    );
  }

  function uncounted(error: unknown): void {
    metrics.uncounted();
    log.warn({ error }, "a call could not be counted against its rate limits");
  }

  async function count(counted: readonly Counted[]): Promise<void> {
    refuseRemembered(counted);
    // Time before the request to the store: the answer may take a while, and the wait that it names has begun by then.
    const asked = clock.monotonicMilliseconds();
    let full: readonly FullBucket[];
    try {
      full = await store.pour(counted.map(bucketOf));
    } catch (error) {
      if (counted.some(({ limit }) => NEEDS_STORE.has(limit))) throw error;
      return uncounted(error);
    }
    if (full.length === 0) return;
    for (const { name, waitMilliseconds } of full) fullUntil.set(name, asked + waitMilliseconds);
    refuse(counted, full);
  }

  return {
    count,
    async countWhile(counted, read) {
      refuseRemembered(counted);
      const [found] = await Promise.all([read(), count(counted)]);
      return found;
    },
    countHere(counted) {
      const name = nameOf(counted);
      const now = Math.floor(clock.monotonicMilliseconds() * 1000);
      const empty = Math.max(emptyAt.get(name) ?? now, now) + measureOf(bucketOf(counted));
      const over = empty - now - MINUTE_MICROSECONDS;
      if (over > 0) refuse([counted], [{ name, waitMilliseconds: over / 1000 }]);
      emptyAt.set(name, empty);
    },
    async penalise(counted) {
      await store.overfill(counted.map(bucketOf), MOST_OVERFILLED).catch(uncounted);
    },
  };
}
