/** The two clocks by which an answer is judged while a call waits for it. */
export interface RevocationClock {
  /** Milliseconds that never go backwards, for the age of an answer. */
  readonly monotonic: () => number;
  /** Wall clock, for the validity of an answer. */
  readonly now: () => Date;
}

/** Makes a clock whose wall time continues from the time of a call, so that this package needs none of its own. */
export function clockFrom(now: Date, monotonic: () => number): RevocationClock {
  const start = monotonic();
  return { monotonic, now: () => new Date(now.getTime() + monotonic() - start) };
}
