import type { Database } from "@cobs/service-edge";

/** A database whose connection breaks once. */
export interface BreakingDatabase {
  readonly database: Database;
  /** Whether the connection has broken. */
  isBroken(): boolean;
}

/**
 * Breaks the connection when the server has run the statement at `place`, before its answer. Places count from 0 and include
 * the ends of transactions. A break inside a transaction undoes what that transaction did before.
 */
export function breakAfter(database: Database, place: number): BreakingDatabase {
  let statements = 0;
  async function pass<T>(send: () => Promise<T>): Promise<T> {
    const answer = await send();
    statements += 1;
    if (statements === place + 1) throw new Error("Connection terminated unexpectedly");
    return answer;
  }
  return {
    database: {
      ...database,
      run: (statement) => pass(() => database.run(statement)),
      transaction: (work, turn) =>
        pass(() =>
          database.transaction(
            (queries) => work({ run: (statement) => pass(() => queries.run(statement)) }),
            turn,
          ),
        ),
    },
    isBroken: () => statements > place,
  };
}
