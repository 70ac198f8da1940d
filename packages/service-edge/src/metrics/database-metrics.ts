import { Counter, Gauge } from "prom-client";
import type { Database, Queries, Statement } from "../database/database-postgres.ts";
import { isItselfUnavailable } from "../database/database-unavailable.ts";
import { DurationMetric } from "./duration-metric.ts";
import type { ProcessMetrics } from "./process-metrics.ts";

/** Figures of one statement in this process. */
interface StatementFigures {
  runs: number;
  rows: number;
  seconds: number;
  /** Runs in which the database did not answer, or not in time. */
  unavailable: number;
  /** Runs that the database answered with an error. */
  refused: number;
}

/**
 * Most statement names counted separately. Names come from the code; should they ever be generated, the rest are counted
 * together.
 */
const MAX_STATEMENTS = 500;
const OTHERS = "other";
/** Name for failures of a transaction outside its statements. */
const TRANSACTION = "transaction";

/**
 * Adds the pool and the statements of a database to the metrics of a process, once per process, and returns a database that
 * counts. Counting only adds to a record: labels are resolved when the metrics are read.
 */
export function countDatabase(
  database: Database,
  { registry }: Pick<ProcessMetrics, "registry">,
  maxConnections: number,
): Database {
  const { statements, durations, waits } = createDatabaseMetrics({ registry }, database.pool, maxConnections);
  const figuresOf = (name: string) => findFigures(statements, name);
  /** Errors already counted where they happened. */
  const told = new WeakSet<object>();
  const fail = (figures: StatementFigures, error: unknown) => {
    if (error instanceof Error) told.add(error);
    figures[isItselfUnavailable(error) ? "unavailable" : "refused"] += 1;
  };

  const counted = (queries: Queries): Queries => ({
    run: async <Row>(statement: Statement) => {
      const figures = figuresOf(statement.name);
      const started = performance.now();
      figures.runs += 1;
      try {
        const rows = await queries.run<Row>(statement);
        figures.rows += rows.length;
        return rows;
      } catch (error) {
        fail(figures, error);
        throw error;
      } finally {
        const seconds = secondsSince(started);
        figures.seconds += seconds;
        durations.observe(seconds);
      }
    },
  });

  return {
    ...database,
    ...counted(database),
    transaction: async (work, turn) => {
      const started = performance.now();
      const begun = (queries: Queries) => {
        waits.observe(secondsSince(started));
        return work(counted(queries));
      };
      try {
        return await database.transaction(begun, turn);
      } catch (error) {
        // A failed connection, BEGIN or COMMIT: if a lost standby is waited for, nothing else fails.
        if (error instanceof Error && !told.has(error) && isItselfUnavailable(error))
          fail(figuresOf(TRANSACTION), error);
        throw error;
      }
    },
  };
}

/** Connection counts of a pool. */
type PoolCounts = Pick<Database["pool"], "idleCount" | "totalCount" | "waitingCount">;

/** Adds the metrics themselves, for a database that does not count; once per process. */
export function createDatabaseMetrics(
  { registry }: Pick<ProcessMetrics, "registry">,
  pool: PoolCounts,
  maxConnections: number,
) {
  const statements = new Map<string, StatementFigures>();
  addPoolMetrics(pool, registry, maxConnections);
  addStatementMetrics(statements, registry);
  const [durations, waits] = timesOf(registry);
  return { statements, durations, waits };
}

const secondsSince = (started: number) => (performance.now() - started) / 1000;

function findFigures(statements: Map<string, StatementFigures>, name: string): StatementFigures {
  const known = statements.get(name);
  if (known !== undefined) return known;
  if (statements.size >= MAX_STATEMENTS && name !== OTHERS) return findFigures(statements, OTHERS);
  const figures = { runs: 0, rows: 0, seconds: 0, unavailable: 0, refused: 0 };
  statements.set(name, figures);
  return figures;
}

/** Durations that are counted together. */
type Times = { readonly observe: (seconds: number) => void };

function timesOf(registry: ProcessMetrics["registry"]): readonly [Times, Times] {
  const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5];
  const histogram = (name: string, help: string): Times => {
    const metric = new DurationMetric({ name, help, labelNames: [], buckets, registry });
    const all = metric.kind({});
    return { observe: (seconds) => metric.add(all, seconds) };
  };
  return [
    histogram(
      "database_statement_duration_seconds",
      "Time of a statement until its rows arrive; outside a transaction, including the wait for a connection.",
    ),
    histogram(
      "database_transaction_wait_seconds",
      "Time until a transaction had its turn and a connection, and had begun.",
    ),
  ];
}

function addPoolMetrics(
  pool: PoolCounts,
  registry: ProcessMetrics["registry"],
  maxConnections: number,
): void {
  const registers = [registry];
  new Gauge({
    name: "database_pool_connections",
    help: "Open connections to the database: busy or idle.",
    labelNames: ["state"] as const,
    registers,
    collect() {
      this.set({ state: "idle" }, pool.idleCount);
      this.set({ state: "busy" }, pool.totalCount - pool.idleCount);
    },
  });
  new Gauge({
    name: "database_pool_max_connections",
    help: "Maximum number of connections of this process to the database.",
    registers,
  }).set(maxConnections);
  new Gauge({
    name: "database_pool_waiting",
    help: "Callers waiting for a connection.",
    registers,
    collect() {
      this.set(pool.waitingCount);
    },
  });
}

function addStatementMetrics(
  statements: ReadonlyMap<string, StatementFigures>,
  registry: ProcessMetrics["registry"],
): void {
  const registers = [registry];
  const add = (name: string, help: string, figure: "runs" | "rows" | "seconds") =>
    new Counter({
      name,
      help,
      labelNames: ["statement"] as const,
      registers,
      collect() {
        this.reset();
        for (const [statement, figures] of statements) this.inc({ statement }, figures[figure]);
      },
    });
  add("database_statements_total", "Statements run, by name.", "runs");
  add("database_statement_rows_total", "Rows that statements returned, or reported as deleted.", "rows");
  add("database_statement_seconds_total", "Total time of all runs of a statement.", "seconds");
  new Counter({
    name: "database_statement_failures_total",
    help: "Statements not answered in time (unavailable) or answered with an error (refused); `transaction`: begin and commit.",
    labelNames: ["statement", "reason"] as const,
    registers,
    collect() {
      this.reset();
      for (const [statement, { unavailable, refused }] of statements) {
        if (unavailable > 0) this.inc({ statement, reason: "unavailable" }, unavailable);
        if (refused > 0) this.inc({ statement, reason: "refused" }, refused);
      }
    },
  });
}
