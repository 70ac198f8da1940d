/** What a request asks for; a ratio is taken of each kind but the first. */
export type HistoryKind = "first-page" | "deep-page" | "date-window";

/** What one request cost; times are in milliseconds, and undefined where none were taken. */
export interface HistoryRow {
  readonly name: string;
  readonly kind: HistoryKind;
  /** The row with which it is compared. */
  readonly baseline: string;
  readonly totalCount: number;
  readonly entries: number;
  /** Pages of 8 kB that the statement touched. */
  readonly buffers: number;
  readonly p50: number | undefined;
  readonly p99: number | undefined;
}

/** The row with which the others are compared. */
export const BASELINE = "1,000, first page";

/** That for what is somewhere else in each round, and so not in the database's own memory. */
export const ANY_BASELINE = "1,000, first page of any account";

/** What the baseline costs in relation to the dearest request of a kind: higher is better. */
export interface HistoryRatio {
  readonly name: `history/${"deep-page" | "date-window"}`;
  /** The lower one of those of buffers and of p50. */
  readonly ratio: number;
  readonly goal: number;
}

/** Nothing may cost more than 1.3 times the baseline. */
const GOAL = 0.77;

/** The ratios of a measurement. */
export function historyRatios(rows: readonly HistoryRow[]): readonly HistoryRatio[] {
  return (["deep-page", "date-window"] as const).map((kind) => {
    const ratios = rows.filter((row) => row.kind === kind).map((row) => ratioOf(rows, row));
    return { name: `history/${kind}`, ratio: Math.min(...ratios), goal: GOAL };
  });
}

/** That of one row. */
export function ratioOf(rows: readonly HistoryRow[], { buffers, p50, ...row }: HistoryRow): number {
  const baseline = rows.find(({ name }) => name === row.baseline);
  if (baseline === undefined) throw new TypeError("a measurement has a baseline");
  const byBuffers = baseline.buffers / buffers;
  return p50 === undefined || baseline.p50 === undefined
    ? byBuffers
    : Math.min(byBuffers, baseline.p50 / p50);
}

const COLUMNS = ["", "entries", "of", "buffers", "p50, ms", "p99, ms", "baseline / this"];

/** A table for people, which is Markdown too. */
export function presentHistory(rows: readonly HistoryRow[]): string {
  const cells = rows.map((row) => [
    row.name,
    ...[row.entries, row.totalCount, row.buffers].map((number) => number.toLocaleString("en")),
    ...[row.p50, row.p99].map((time) => time?.toFixed(2) ?? ""),
    ratioOf(rows, row).toFixed(2),
  ]);
  const lines = [COLUMNS, COLUMNS.map((_, column) => (column === 0 ? "---" : "---:")), ...cells];
  return lines.map((line) => `| ${line.join(" | ")} |`).join("\n");
}
