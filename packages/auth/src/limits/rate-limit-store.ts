/** A count of calls: which, and how many it takes in a minute. */
export interface Bucket {
  readonly name: string;
  readonly perMinute: number;
}

/** A bucket that takes no more at this moment. */
export interface FullBucket {
  readonly name: string;
  readonly waitMilliseconds: number;
}

/**
 * Counts calls in leaky buckets: each call pours one measure, a bucket holds a minute's worth of them and runs empty at an
 * even rate. So as many calls as a minute has may come at once, and after that one each time that a measure has run out.
 * All processes see the same buckets and the clock of the store. The store may be lost at any time: all buckets are empty
 * then. Names are not stored, only their SHA-256; a bucket that has run empty takes no room for long.
 */
export interface RateLimitStore {
  /**
   * Pours one measure into every bucket, or into none when one of them is full; gives the full ones. However many come at
   * once, in any process, a bucket never takes more than it may. One that finds the last room of a bucket taken at the same
   * moment has left nothing in the others when it is answered. Waiting as long as a full bucket says makes room for one. No
   * bucket may be named twice.
   */
  pour(buckets: readonly Bucket[]): Promise<readonly FullBucket[]>;
  /**
   * Pours many measures into every bucket, full or not, `MOST_OVERFILLED` at most; it then holds no more than a minute's worth
   * and these.
   */
  overfill(buckets: readonly Bucket[], measures: number): Promise<void>;
}

/** What a bucket holds. */
export const MINUTE_MICROSECONDS = 60_000_000;
/** As many measures fit into a full bucket at most. One that seems to hold more is of a clock that was put back, and empty. */
export const MOST_OVERFILLED = 30;

/** What one call pours, in microseconds of running empty; rounded down: a minute always has room for as many as it should. */
export function measureOf({ perMinute }: Bucket): number {
  return Math.floor(MINUTE_MICROSECONDS / perMinute);
}
