import type { Database } from "@cobs/service-edge";

/** A database whose connection breaks once. */
export interface BreakingDatabase {
  readonly database: Database;
  /** Whether it has come to that. */
  isBroken(): boolean;
}

/**
 * Breaks the connection when the server has done the statement of this place and not answered: from 0, the ends of transactions
 * among them. What was done since a transaction began is undone with it, as if the connection had broken before.
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
