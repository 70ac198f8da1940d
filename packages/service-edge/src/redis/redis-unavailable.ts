/** Redis cannot answer now: it is unreachable, has just failed over, is full, or takes too long. */
export class RedisUnavailable extends Error {
  override readonly name = "RedisUnavailable";

  constructor(why: string, cause?: unknown) {
    super(why, { cause });
  }
}
