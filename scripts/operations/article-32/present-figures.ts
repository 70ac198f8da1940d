import { type DayFigures, KINDS } from "./day-figures.ts";

const DIGITS = 3;

const COLUMNS = [
  "date",
  "uptime %",
  "downtime %",
  "downtime min",
  "unmeasured min",
  ...KINDS.flatMap((kind) => [`${kind} requests`, `${kind} ms`, `${kind} errors %`]),
];

/** Leaves an unknown figure empty: a zero would claim a measurement. */
const present = (value: number | undefined) =>
  value === undefined ? "" : String(Number(value.toFixed(DIGITS)));

function cellsOf({ date, kinds, ...day }: DayFigures): readonly string[] {
  const { uptimePercent, downtimePercent, downtimeMinutes, unmeasuredMinutes } = day;
  const ofDay = [uptimePercent, downtimePercent, downtimeMinutes, unmeasuredMinutes];
  const ofKinds = KINDS.flatMap((kind) => {
    const { requests, averageMilliseconds, errorPercent } = kinds[kind];
    return [requests, averageMilliseconds, errorPercent];
  });
  return [date, ...[...ofDay, ...ofKinds].map(present)];
}

/** A header line and one line per day; values are separated by commas (RFC 4180). */
export function presentCsv(days: readonly DayFigures[]): string {
  return [COLUMNS, ...days.map(cellsOf)].map((cells) => `${cells.join(",")}\r\n`).join("");
}

/** A table of the same figures for people. */
export function presentTable(days: readonly DayFigures[]): string {
  const rows = [COLUMNS, ...days.map(cellsOf)];
  const widths = COLUMNS.map((_, place) => Math.max(...rows.map((cells) => cells[place]?.length ?? 0)));
  return rows
    .map((cells) => cells.map((cell, place) => cell.padStart(widths[place] ?? 0)).join("  "))
    .join("\n");
}
