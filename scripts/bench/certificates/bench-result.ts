/** Several measurements of the same thing. */
export interface Spread {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** One way of doing a thing, against the baseline of the same rounds. */
export interface BenchRow {
  readonly name: string;
  /** Microseconds of CPU of the server process per operation. */
  readonly cpu: Spread;
  /** To the baseline, round by round. */
  readonly ratio: Spread;
  /** The ratio that the median may not exceed; undefined for what is shown for comparison. */
  readonly target: number | undefined;
}

/** A thing that is done in several ways; the first row is the baseline. */
export interface BenchTable {
  readonly title: string;
  readonly operation: string;
  readonly rounds: number;
  readonly operationsPerRound: number;
  readonly rows: readonly BenchRow[];
}

/** Whether the median of a row is within its target; a row without one always is. */
export function meetsTarget({ ratio, target }: BenchRow): boolean {
  return target === undefined || ratio.median <= target;
}

/** Lowest, middle and highest of at least one value. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    low: at(0),
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    high: at(sorted.length - 1),
  };
}
