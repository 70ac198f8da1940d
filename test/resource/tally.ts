/** Number of answers with each status. */
export async function tally(answers: readonly Promise<number>[]): Promise<Readonly<Record<number, number>>> {
  const counts: Record<number, number> = {};
  for (const status of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
