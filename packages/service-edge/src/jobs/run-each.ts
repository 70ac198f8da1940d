import type { Queries, Statement } from "../database/database-postgres.ts";
import { PartFailed } from "./part-failed.ts";

/**
 * Runs statements that do not depend on each other, one after the other, and gives how many rows each answered with. One
 * that fails keeps none of the others from it: the first failure is thrown at the end, as a {@link PartFailed} where another
 * one has answered with as many rows as a batch has. With `signal` the rest is left.
 */
export async function runEach(
  queries: Queries,
  statements: Iterable<Statement>,
  batchRows: number,
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
  if (failures.length === 0) return rows;
  throw rows.some((count) => count >= batchRows) ? new PartFailed(failures[0]) : failures[0];
}
