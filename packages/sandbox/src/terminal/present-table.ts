const INDENT = "  ";
const GAP = "   ";

/** Text in columns as wide as their longest cells; the first row may be a heading. */
export function presentTable(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => [...(row[column] ?? "")].length)),
  );
  const pad = (cell: string, width: number) => cell + " ".repeat(width - [...cell].length);
  return rows
    .map(
      (row) =>
        INDENT +
        row
          .map((cell, column) => pad(cell, widths[column] ?? 0))
          .join(GAP)
          .trimEnd(),
    )
    .join("\n");
}
