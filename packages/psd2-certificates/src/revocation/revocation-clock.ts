/** The two clocks by which an answer is judged while it is waited for. */
export interface RevocationClock {
  /** Never goes backwards, in milliseconds: how old an answer is. */
  readonly monotonic: () => number;
  /** Whether an answer is in its time. */
  readonly now: () => Date;
}

/** A wall clock that goes on from the time of a call, so that this package needs none of its own. */
export function clockFrom(now: Date, monotonic: () => number): RevocationClock {
  const start = monotonic();
  return { monotonic, now: () => new Date(now.getTime() + monotonic() - start) };
}
