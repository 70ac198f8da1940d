import type { LimitName } from "./limit.ts";

/** Too many requests: the caller may retry after this many whole seconds (RFC 6585 section 4, RFC 9110 10.2.3). */
export class RateLimited extends Error {
  override readonly name = "RateLimited";
  readonly limit: LimitName;
  readonly retryAfterSeconds: number;

  constructor(limit: LimitName, waitMilliseconds: number) {
    super("too many requests");
    this.limit = limit;
    this.retryAfterSeconds = Math.max(1, Math.ceil(waitMilliseconds / 1000));
  }
}
