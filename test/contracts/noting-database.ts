import type { Database, Queries, Statement } from "@cobs/service-edge";

/** Wraps a database and records every statement, including those in transactions. */
export function notingDatabase(database: Database, noted: Statement[]): Database {
  const noting = (queries: Queries): Queries => ({
    run: (statement) => {
      noted.push(statement);
      return queries.run(statement);
    },
  });
  const transaction: Database["transaction"] = (work, turn) =>
    database.transaction((queries) => work(noting(queries)), turn);
  return { ...database, ...noting(database), transaction };
}
