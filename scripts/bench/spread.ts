/** Several measurements of the same thing. */
export interface Spread {
  readonly low: number;
  readonly median: number;
  readonly high: number;
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
