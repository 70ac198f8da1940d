import type { ContestResult } from "./contest.ts";
import type { Spread } from "./spread.ts";

/** One figure of a run: the share of a baseline's throughput that we reach, and the share that we want; higher is better. */
export interface BenchRatio {
  readonly name: string;
  readonly ratio: number;
  readonly goal: number;
}

/** Figures that were measured together, and a table of them for people. */
export interface BenchSection {
  readonly ratios: readonly BenchRatio[];
  readonly text: string;
}

const DIGITS = 3;

/** A ratio with all its digits: with fewer, one that narrowly misses its goal would seem to meet it. */
export function presentRatio({ ratio }: Pick<BenchRatio, "ratio">): string {
  return ratio.toFixed(DIGITS);
}

/** Rounds a ratio to the digits that mean something. */
export function ratioOf(name: string, ratio: number, goal: number): BenchRatio {
  return { name, ratio: Number(ratio.toFixed(DIGITS)), goal };
}

/** Whether a figure reaches its goal; false for NaN, which means that nothing was measured. */
export function meetsGoal({ ratio, goal }: BenchRatio): boolean {
  return Number.isFinite(ratio) && ratio >= goal;
}

const COLUMNS = ["", "per CPU second", "lowest to highest", "CPU, µs", "ratio of ours", "lowest to highest"];
const MICROSECONDS = 1_000_000;

/** The section of a contest; its figure is the median of the ratios to the first baseline. */
export function presentContest({ name, goal, operation, rounds, contenders }: ContestResult): BenchSection {
  const ratio = ratioOf(name, contenders[1]?.ratio.median ?? Number.NaN, goal);
  const rows = contenders.map((contender, index) => [
    contender.name,
    contender.throughput.median.toFixed(0),
    presentSpread(contender.throughput, 0),
    (MICROSECONDS / contender.throughput.median).toFixed(0),
    ...(index === 0 ? ["", ""] : [contender.ratio.median.toFixed(2), presentSpread(contender.ratio, 2)]),
  ]);
  const verdict = meetsGoal(ratio) ? "met" : "MISSED";
  const text = [
    `## ${name}: ${presentRatio(ratio)}, at least ${goal}: ${verdict}`,
    "",
    `Per ${operation}; ${rounds} rounds, interleaved; median and spread.`,
    "",
    ...alignTable([COLUMNS, COLUMNS.map(() => "---"), ...rows]),
    "",
  ].join("\n");
  return { ratios: [ratio], text };
}

function presentSpread({ low, high }: Spread, digits: number): string {
  return `${low.toFixed(digits)} to ${high.toFixed(digits)}`;
}

/** A Markdown table that people can read as it is. */
export function alignTable(rows: readonly (readonly string[])[]): readonly string[] {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows.map((row) => {
    const cells = row.map((cell, column) =>
      cell === "---" ? "-".repeat(width(column)) : cell.padEnd(width(column)),
    );
    return `| ${cells.join(" | ")} |`;
  });
}
