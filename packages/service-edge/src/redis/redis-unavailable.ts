/** Redis cannot answer now: it is not reached, has failed over a moment ago, is full, or takes too long. */
export class RedisUnavailable extends Error {
  override readonly name = "RedisUnavailable";

  constructor(why: string, cause?: unknown) {
    super(why, { cause });
  }
}
