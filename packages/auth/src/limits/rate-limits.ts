/**
 * How often who may call. This folder owns what is counted, how, and for how long a caller has to wait; it does not own who a
 * caller is, nor what a refusal looks like. What is kept is with what is counted: nothing is forgiven by a restart.
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

/** Counts calls, and refuses those that are too many with `RateLimited`. */
export interface RateLimits {
  /** Counts a call for all of these, or for none when one of them has no room. */
  count(counted: readonly Counted[]): Promise<void>;
  /** The same while something is read that the call needs anyhow; what is read tells a refused caller nothing. */
  countWhile<T>(counted: readonly Counted[], read: () => Promise<T>): Promise<T>;
  /** Counts a call in this process alone: one that stores nothing, and is not worth a statement. */
  countHere(counted: Counted): void;
  /** Counts a failed client authentication, which weighs as much as many calls, after it has failed. Never rejects. */
  penalise(counted: readonly Counted[]): Promise<void>;
}

/** What they count with. */
export interface RateLimitParts {
  readonly store: RateLimitStore;
  readonly settings: RateLimitSettings;
  readonly metrics: RateLimitMetrics;
  readonly clock: Clock;
  readonly log: Log;
}

/** As many full buckets each process remembers, to refuse without asking. */
const MAX_REMEMBERED = 10_000;
/** Without the store nobody signs in: guessing would have no end. Everything else goes on (OPERATING.md, Rate limits). */
const NEEDS_STORE: ReadonlySet<LimitName> = new Set(["sign_in_address"]);

/** Makes the limits of one process; all that count in one store share them. */
export function createRateLimits(parts: RateLimitParts): RateLimits {
  const { store, metrics, clock, log } = parts;
  const perMinute = limitsPerMinute(parts.settings);
  const fullUntil = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  /** The microseconds in which buckets of this process alone will be empty. */
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

  /** A full bucket has no room before its time, whatever other processes do: it need not be asked again. */
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
    log.warn({ error }, "a call could not be counted");
  }

  async function count(counted: readonly Counted[]): Promise<void> {
    refuseRemembered(counted);
    // From before the question: the answer may take a while, and what it tells to wait has begun by then.
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
