/** What a request asks for; every kind but the first gets a ratio. */
export type HistoryKind = "first-page" | "deep-page" | "date-window";

/** What one request cost; times are in milliseconds, or undefined if not measured. */
export interface HistoryRow {
  readonly name: string;
  readonly kind: HistoryKind;
  /** Name of the row that this one is compared with. */
  readonly baseline: string;
  readonly totalCount: number;
  readonly entries: number;
  /** 8 kB pages that the statement touched. */
  readonly buffers: number;
  readonly p50: number | undefined;
  readonly p99: number | undefined;
}

/** Name of the row that most others are compared with. */
export const BASELINE = "1,000, first page";

/** Baseline for requests that read a different place in each round, which the database has therefore not cached. */
export const ANY_BASELINE = "1,000, first page of any account";

/** The baseline's cost divided by that of a kind's most expensive request: higher is better. */
export interface HistoryRatio {
  readonly name: `history/${"deep-page" | "date-window"}`;
  /** The lower of the ratios of buffers and of p50. */
  readonly ratio: number;
  readonly goal: number;
}

/** No request may cost more than 1.3 times its baseline. */
const GOAL = 0.77;

/** The ratio of each kind in a measurement. */
export function historyRatios(rows: readonly HistoryRow[]): readonly HistoryRatio[] {
  return (["deep-page", "date-window"] as const).map((kind) => {
    const ratios = rows.filter((row) => row.kind === kind).map((row) => ratioOf(rows, row));
    return { name: `history/${kind}`, ratio: Math.min(...ratios), goal: GOAL };
  });
}

/** The ratio of one row. */
export function ratioOf(rows: readonly HistoryRow[], { buffers, p50, ...row }: HistoryRow): number {
  const baseline = rows.find(({ name }) => name === row.baseline);
  if (baseline === undefined) throw new TypeError("a measurement has a baseline");
  const byBuffers = baseline.buffers / buffers;
  return p50 === undefined || baseline.p50 === undefined
    ? byBuffers
    : Math.min(byBuffers, baseline.p50 / p50);
}

const COLUMNS = ["", "entries", "of", "buffers", "p50, ms", "p99, ms", "baseline / this"];

/** A Markdown table that people can read as it is. */
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
