import type { PlacedRow } from "@cobs/service-edge";

/** Groups rows by place, one group for each of `count` questions asked together, in the order of the statement. */
export function rowsByPlace<Row extends PlacedRow>(
  rows: readonly Row[],
  count: number,
): readonly (readonly Row[])[] {
  const placed = Array.from({ length: count }, (): Row[] => []);
  for (const row of rows) placed[row.place - 1]?.push(row);
  return placed;
}
