import { alignTable } from "../section.ts";
import type { Spread } from "../spread.ts";
import { type BenchRow, type BenchTable, meetsTarget } from "./bench-result.ts";

const COLUMNS = ["", "server CPU, µs", "lowest to highest", "ratio", "lowest to highest", "target"];

/** A Markdown table that people can read as it is. */
export function presentTable(table: BenchTable): string {
  const { title, operation, rounds, operationsPerRound } = table;
  const rows = [COLUMNS, COLUMNS.map(() => "---"), ...table.rows.map(presentRow)];
  return [
    `## ${title}`,
    "",
    `Per ${operation}; ${rounds} rounds of ${operationsPerRound}, interleaved; median and spread.`,
    "",
    ...alignTable(rows),
    "",
  ].join("\n");
}

function presentRow(row: BenchRow): readonly string[] {
  const { name, cpu, ratio, target } = row;
  const verdict = target === undefined ? "" : `at most ${target}: ${meetsTarget(row) ? "met" : "MISSED"}`;
  return [
    name,
    cpu.median.toFixed(1),
    presentRange(cpu, 1),
    ratio.median.toFixed(2),
    presentRange(ratio, 2),
    verdict,
  ];
}

function presentRange({ low, high }: Spread, digits: number): string {
  return `${low.toFixed(digits)} to ${high.toFixed(digits)}`;
}
