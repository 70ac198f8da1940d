import { BulkheadRejectedError, bulkhead } from "cockatiel";

/** Runs work when it is its turn. */
export type Turnstile = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * At most `running` pieces of work at once and `waiting` in line; one more throws what `refuse` makes. It bounds the
 * memory and the threads that a flood of expensive calls can take.
 */
export function limitConcurrency(
  { running, waiting }: { readonly running: number; readonly waiting: number },
  refuse: () => Error,
): Turnstile {
  const policy = bulkhead(running, waiting);
  return async (work) => {
    try {
      return await policy.execute(work);
    } catch (error) {
      throw error instanceof BulkheadRejectedError ? refuse() : error;
    }
  };
}
