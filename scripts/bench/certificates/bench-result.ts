import type { Spread } from "../spread.ts";

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
