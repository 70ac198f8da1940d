/** The only source of time in a process; tests pass their own. */
export interface Clock {
  /** Wall-clock time, for everything that is stored or compared with a certificate. */
  now(): Date;
  /** Milliseconds that never go backwards, for measuring freshness and durations. */
  monotonicMilliseconds(): number;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMilliseconds: () => performance.now(),
};
