import type { Clock } from "@cobs/service-edge";
import { LRUCache } from "lru-cache";

/** The share that a party has used: what it may use in a minute flows out in a minute, and no more than that fits in. */
export interface LeakyBucket {
  /** Milliseconds until there is room for one more in addition to `others`; 0 when there is room now. */
  waitFor(others?: number): number;
  /** Adds one, whether or not there is room. */
  fill(): void;
  /** Takes out one that was added before. */
  takeBack(): void;
}

/** Weight of one. With it, `perMinute` flows out each millisecond, so that all numbers stay whole. */
const WEIGHT = 60_000;
/** More than there are TPPs; the party that has been silent longest is forgotten first. */
const MAX_PARTIES = 10_000;

/** Creates an empty bucket: `perMinute` fit in at once, and as many flow out per minute. */
export function createLeakyBucket(
  perMinute: number,
  clock: Pick<Clock, "monotonicMilliseconds">,
): LeakyBucket {
  const most = perMinute * WEIGHT;
  const now = () => Math.floor(clock.monotonicMilliseconds());
  let [level, drainedAt] = [0, now()];
  function drain(): void {
    const at = now();
    level = Math.max(0, level - (at - drainedAt) * perMinute);
    drainedAt = at;
  }
  return {
    waitFor: (others = 0) => {
      drain();
      return Math.max(0, Math.ceil((level + (others + 1) * WEIGHT - most) / perMinute));
    },
    fill: () => {
      drain();
      level += WEIGHT;
    },
    takeBack: () => {
      drain();
      level = Math.max(0, level - WEIGHT);
    },
  };
}

/** Keeps a value for each of a bounded number of parties, and creates it when a party comes for the first time. */
export function keepForEach<Kept extends object>(make: () => Kept): (party: string) => Kept {
  const kept = new LRUCache<string, Kept>({ max: MAX_PARTIES });
  return (party) => {
    const known = kept.get(party);
    if (known !== undefined) return known;
    const fresh = make();
    kept.set(party, fresh);
    return fresh;
  };
}
