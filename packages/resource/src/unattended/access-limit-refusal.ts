/**
 * No further access without the PSU may begin for now: those of the last 24 hours are used up (RTS Article 36(5)(b)).
 * An access that runs is never refused.
 */
export class AccessLimitRefusal extends Error {
  /** When the next access may begin, by the database's clock. */
  readonly continuesAt: Date;
  /** The same from now on, rounded up: whoever waits as long is not refused for having come too early. */
  readonly retryAfterSeconds: number;

  constructor(continuesAt: Date, retryAfterSeconds: number) {
    super("access_limit");
    this.name = "AccessLimitRefusal";
    this.continuesAt = continuesAt;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
