import type { Spread } from "../spread.ts";

/** One way of doing something, compared with the baseline of the same rounds. */
export interface BenchRow {
  readonly name: string;
  /** Microseconds of CPU of the server process per operation. */
  readonly cpu: Spread;
  /** Ratio to the baseline, round by round. */
  readonly ratio: Spread;
  /** Ratio that the median may not exceed; undefined for a way that is shown only for comparison. */
  readonly target: number | undefined;
}

/** Something that is done in several ways; the first row is the baseline. */
export interface BenchTable {
  readonly title: string;
  readonly operation: string;
  readonly rounds: number;
  readonly operationsPerRound: number;
  readonly rows: readonly BenchRow[];
}

/** Whether the median of a row is within its target; always true for a row without a target. */
export function meetsTarget({ ratio, target }: BenchRow): boolean {
  return target === undefined || ratio.median <= target;
}
