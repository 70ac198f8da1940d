/** Kinds of calls. */
export type CallKind = "reads" | "tokens" | "pages" | "writes" | "revocations";

/** Outcome of one call; `status` is 0 if no answer came. */
export interface CallOutcome {
  readonly at: number;
  readonly status: number;
  /** Whether the call went as it does when nothing is broken. */
  readonly good: boolean;
  /** The broken promise, in words; undefined if none was broken. */
  readonly breach?: string | undefined;
}

/** Outcomes of all calls of one kind, in milliseconds of the monotonic clock. */
export interface KindTally {
  readonly kind: CallKind;
  readonly statuses: ReadonlyMap<number, number>;
  /** Longest time between two good calls. */
  readonly longestOutage: number;
  readonly lastBadAt: number | undefined;
  readonly goodCount: number;
  readonly badCount: number;
}

/** Counts outcomes as they come; keeps no single one. */
export class Tally {
  readonly #kinds = new Map<CallKind, MutableTally>();
  readonly #breaches = new Map<string, number>();

  record(kind: CallKind, { at, status, good, breach }: CallOutcome): void {
    const tally = this.#of(kind);
    tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
    if (breach !== undefined) this.#breaches.set(breach, (this.#breaches.get(breach) ?? 0) + 1);
    if (!good) {
      tally.badCount += 1;
      tally.lastBadAt = at;
      return;
    }
    tally.goodCount += 1;
    if (tally.lastGoodAt !== undefined)
      tally.longestOutage = Math.max(tally.longestOutage, at - tally.lastGoodAt);
    tally.lastGoodAt = at;
  }

  /** Every broken promise, with how often it was broken. */
  breaches(): readonly string[] {
    return [...this.#breaches].map(([breach, count]) => `${count}× ${breach}`);
  }

  kinds(): readonly KindTally[] {
    return [...this.#kinds.values()];
  }

  #of(kind: CallKind): MutableTally {
    const known = this.#kinds.get(kind);
    if (known !== undefined) return known;
    const made: MutableTally = {
      kind,
      statuses: new Map(),
      longestOutage: 0,
      lastGoodAt: undefined,
      lastBadAt: undefined,
      goodCount: 0,
      badCount: 0,
    };
    this.#kinds.set(kind, made);
    return made;
  }
}

interface MutableTally {
  readonly kind: CallKind;
  readonly statuses: Map<number, number>;
  longestOutage: number;
  lastGoodAt: number | undefined;
  lastBadAt: number | undefined;
  goodCount: number;
  badCount: number;
}
