import type { Queries, Statement } from "./database-postgres.ts";

/**
 * Runs statements that do not depend on each other, one after the other, and gives how many rows each answered with. One
 * that fails keeps none of the others from it: the first failure is thrown at the end. With `signal` the rest is left.
 */
export async function runEach(
  queries: Queries,
  statements: Iterable<Statement>,
  signal?: AbortSignal,
): Promise<readonly number[]> {
  const rows: number[] = [];
  const failures: unknown[] = [];
  for (const statement of statements) {
    if (signal?.aborted) break;
    try {
      rows.push((await queries.run(statement)).length);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return rows;
}
