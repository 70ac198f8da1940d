import type { Clock } from "@cobs/service-edge";
import { LRUCache } from "lru-cache";

/** What a party has used of its share: as much a minute flows out as it may use in one, and no more fits in. */
export interface LeakyBucket {
  /** Milliseconds until there is room for one, beside so many others; 0 when there is. */
  waitFor(others?: number): number;
  /** Puts one in, whether or not there is room. */
  fill(): void;
}

/** What one weighs. As much as is allowed in a minute flows out each millisecond, so that no figure is broken. */
const WEIGHT = 60_000;
/** More than there are TPPs; whoever has not asked for the longest time is forgiven first. */
const MAX_PARTIES = 10_000;

/** Makes an empty one: so many at once, and so many a minute. */
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
  };
}

/** Keeps something for each party, as many as there may be, and makes it when a party comes for the first time. */
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
