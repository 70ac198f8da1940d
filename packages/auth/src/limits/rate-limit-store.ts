/** A count of requests: its name, and how many it takes per minute. */
export interface Bucket {
  readonly name: string;
  readonly perMinute: number;
}

/** A bucket that is full now. */
export interface FullBucket {
  readonly name: string;
  readonly waitMilliseconds: number;
}

/**
 * Counts requests in leaky buckets: each request pours one measure; a bucket holds a minute's worth of measures and drains
 * evenly. A full minute's requests may thus come at once, and then one more whenever a measure has drained. All processes share
 * the buckets and the store's clock. The store may be lost at any time, which empties all buckets. Only the SHA-256 of names is
 * stored. An empty bucket is soon removed.
 */
export interface RateLimitStore {
  /**
   * Pours one measure into every bucket, or into none when one of them is full; returns the full ones. A bucket never takes more
   * than it may, however many requests come at once, in any process. A request that loses the last room of a bucket to a
   * concurrent one has left nothing in the other buckets when it is answered. Waiting as long as a full bucket says makes room
   * for one. No bucket may be named twice.
   */
  pour(buckets: readonly Bucket[]): Promise<readonly FullBucket[]>;
  /**
   * Pours `measures`, at most `MOST_OVERFILLED`, into every bucket, full or not; it then holds at most a minute's worth plus
   * these.
   */
  overfill(buckets: readonly Bucket[], measures: number): Promise<void>;
}

/** Capacity of a bucket, in microseconds of draining. */
export const MINUTE_MICROSECONDS = 60_000_000;
/**
 * Most measures above a full bucket. A bucket that seems to hold more was filled before the clock was set back, and counts as
 * empty.
 */
export const MOST_OVERFILLED = 30;

/**
 * Computes the measure that one request pours, in microseconds of draining; rounded down, so that a minute always has room for
 * `perMinute` requests.
 */
export function measureOf({ perMinute }: Bucket): number {
  return Math.floor(MINUTE_MICROSECONDS / perMinute);
}
