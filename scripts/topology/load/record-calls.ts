/** An ended call, in milliseconds of the monotonic clock; `answer` is a status, or why there was none. */
export interface EndedCall {
  readonly kind: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly answer: string;
}

/** A call that is under way. */
export interface OpenCall {
  readonly kind: string;
  readonly startedAt: number;
}

/** What became of the calls; only number and duration are kept of those that succeeded. */
export interface CallRecords {
  /** Runs a call; it has failed if it throws or its answer is not among those expected. */
  follow(kind: string, expected: readonly number[], call: () => Promise<number>): Promise<void>;
  readonly done: number;
  readonly failed: readonly EndedCall[];
  open(): readonly OpenCall[];
  /** Number of good calls, by kind. */
  counts(): Readonly<Record<string, number>>;
  /** Quantile of the durations of good calls, in milliseconds: 0.99 is what one in a hundred exceeds. */
  quantile(share: number): number;
}

/** Starts empty records. */
export function recordCalls(): CallRecords {
  const open = new Set<OpenCall>();
  const good = new Map<string, number>();
  const times: number[] = [];
  const failed: EndedCall[] = [];

  function end(call: OpenCall, expected: readonly number[], answer: number | string): void {
    const endedAt = performance.now();
    open.delete(call);
    if (typeof answer === "string" || !expected.includes(answer)) {
      failed.push({ ...call, endedAt, answer: String(answer) });
      return;
    }
    good.set(call.kind, (good.get(call.kind) ?? 0) + 1);
    times.push(endedAt - call.startedAt);
  }

  return {
    follow: async (kind, expected, call) => {
      const started = { kind, startedAt: performance.now() };
      open.add(started);
      end(started, expected, await call().catch(reasonOf));
    },
    get done() {
      return times.length + failed.length;
    },
    failed,
    open: () => [...open],
    counts: () => Object.fromEntries(good),
    quantile: (share) => times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0,
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "failed";
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
