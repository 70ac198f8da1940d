import type { Queries, Statement } from "../database/database-postgres.ts";
import { PartFailed } from "./part-failed.ts";

/**
 * Runs independent statements one after the other, and returns how many rows each answered with. A failure does not stop the
 * others: the first one is thrown at the end, as a {@link PartFailed} if another statement answered with a full batch of rows.
 * Raising `signal` skips the rest.
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
