import pg from "pg";
import type { Secret } from "../configuration/secret.ts";
import type { Log } from "../log/log.ts";
import { createDatabaseHosts, type DatabaseHosts } from "./database-hosts.ts";
import { DatabaseUnreachable, isItselfUnavailable } from "./database-unavailable.ts";
import { createTurns } from "./turns.ts";

/** A statement: its text, a name under which the server keeps its plan, and its values. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** Time limit, if longer than usual: for a statement, in a transaction, that handles very many rows. */
  readonly limitMilliseconds?: number;
  /** Whether JSON in the rows stays text, because it is passed on unread. */
  readonly keepsJson?: boolean;
  /** Whether its text was made by {@link inOneJson}. */
  readonly isInOneJson?: boolean;
}

/** Runs statements, either each by itself or all inside one transaction. */
export interface Queries {
  run<Row>(statement: Statement): Promise<readonly Row[]>;
}

/** The database of a service. */
export interface Database extends Queries {
  /**
   * Runs `work` in one transaction. Either all of it is committed, or none and the promise rejects, even if `work` has caught
   * the error. `turn` names what the transaction waits for in the database, if a caller can send very many that wait for the
   * same thing. Only one transaction per `turn` and process then has a connection, so that they do not take them all.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>, turn?: string): Promise<T>;
  /** Whether the database answers at this moment. */
  answers(): Promise<boolean>;
  /** Makes a client of its own, not yet connected: outside the pool, and past any pooler in front of the server. */
  newClient(config: pg.ClientConfig): pg.Client;
  close(): Promise<void>;
  readonly pool: pg.Pool;
}

/** Milliseconds to wait for a free connection and for a statement. */
export interface DatabaseTimeLimits {
  readonly connection: number;
  readonly statement: number;
}

/** Each is below the three seconds within which a caller learns that the database is down. */
export const DATABASE_TIME_LIMITS: DatabaseTimeLimits = { connection: 1_500, statement: 2_500 };
/** Extra time before we give up on a statement, because the server ends it itself unless nothing arrives from there. */
const ANSWER_MILLISECONDS = 250;

const parseBigint = (text: string) => BigInt(text);
const parsers: pg.CustomTypesConfig = {
  // int8 becomes bigint: amounts are minor units, and counts must not lose digits.
  getTypeParser: (oid: number, format?: string) =>
    oid === pg.types.builtins.INT8 && format !== "binary" ? parseBigint : pg.types.getTypeParser(oid, "text"),
};

const JSON_TYPES: ReadonlySet<number> = new Set([pg.types.builtins.JSON, pg.types.builtins.JSONB]);
const keepingJson: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    JSON_TYPES.has(oid) ? String : parsers.getTypeParser(oid, format),
};

/**
 * Wraps a query so that its rows arrive as one JSON text, for very frequent questions: the driver spends as much on the
 * columns of each row as `JSON.parse` on all rows. JSON numbers are doubles, so no column may be an `int8`, nor a `bytea`. A
 * time arrives as a text that `Date` reads, and may not be infinite.
 */
export function inOneJson(query: string): string {
  return `SELECT coalesce(json_agg(answer), '[]') AS rows FROM (${query}) AS answer`;
}

async function runOn<Row>(client: pg.Pool | pg.PoolClient, statement: Statement): Promise<readonly Row[]> {
  const { name, text, values, limitMilliseconds, keepsJson, isInOneJson } = statement;
  const limit = limitMilliseconds && { query_timeout: limitMilliseconds + ANSWER_MILLISECONDS };
  const types = keepsJson && { types: keepingJson };
  const result = await client.query({ name, text, values: [...values], ...limit, ...types });
  return isInOneJson ? result.rows[0].rows : result.rows;
}

/** Lets one statement of a transaction take longer; later ones have the usual limit again. */
async function runInTransaction<Row>(client: pg.PoolClient, statement: Statement): Promise<readonly Row[]> {
  const { limitMilliseconds } = statement;
  if (limitMilliseconds === undefined) return runOn(client, statement);
  await client.query(`SET LOCAL statement_timeout = ${limitMilliseconds}`);
  const rows = await runOn<Row>(client, statement);
  await client.query("SET LOCAL statement_timeout TO DEFAULT");
  return rows;
}

/** Codes of a prepared plan that is gone or whose result has changed; the driver would send it again and again. */
const STALE_PLAN_CODES: ReadonlySet<string | undefined> = new Set(["0A000", "26000"]);

const isStalePlan = (error: unknown) => error instanceof pg.DatabaseError && STALE_PLAN_CODES.has(error.code);

async function transactionOn<T>(pool: pg.Pool, work: (queries: Queries) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query("BEGIN");
    const result = await work({ run: (statement) => runInTransaction(client, statement) });
    const { command } = await client.query("COMMIT");
    // If a statement has failed, PostgreSQL answers COMMIT with a rollback and no error, even if `work` caught the failure.
    if (command !== "COMMIT")
      throw new Error("a statement of the transaction failed, and nothing was committed");
    return result;
  } catch (error) {
    // A connection that does not answer is discarded, which ends its transaction: ROLLBACK would wait as long again.
    broken = isItselfUnavailable(error) || isStalePlan(error);
    if (!broken) {
      await client.query("ROLLBACK").catch(() => {
        broken = true;
      });
    }
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Reports any failure to connect as an unreachable database, since the database was there at the start. */
function tellingUnreachable(Client: DatabaseHosts["Client"]): DatabaseHosts["Client"] {
  return class extends Client {
    override connect(): Promise<this>;
    override connect(callback: (error: Error | null) => void): void;
    override connect(callback?: (error: Error | null) => void): Promise<this> | undefined {
      const connecting = super.connect().then(
        () => this,
        (error: unknown) => {
          throw error instanceof Error ? new DatabaseUnreachable(error) : error;
        },
      );
      if (callback === undefined) return connecting;
      connecting.then(() => callback(null), callback);
      return undefined;
    }
  };
}

/** Opens a bounded pool with time limits on connections, statements and waits. */
export function openDatabase(options: {
  readonly url: Secret;
  /** The servers behind the URL, if the process already knows some of them. */
  readonly hosts?: DatabaseHosts;
  /** The same servers without the pooler, if `hosts` goes through one. */
  readonly direct?: DatabaseHosts;
  readonly maxConnections: number;
  readonly applicationName: string;
  readonly log: Log;
  readonly timeLimits?: DatabaseTimeLimits | undefined;
}): Database {
  const { connection, statement } = options.timeLimits ?? DATABASE_TIME_LIMITS;
  const { hosts = createDatabaseHosts(options.url), direct = hosts } = options;
  const pool = new pg.Pool({
    Client: tellingUnreachable(hosts.Client),
    max: options.maxConnections,
    application_name: options.applicationName,
    connectionTimeoutMillis: connection,
    statement_timeout: statement,
    query_timeout: statement + ANSWER_MILLISECONDS,
    idle_in_transaction_session_timeout: statement,
    types: parsers,
  });
  const inTurn = createTurns(connection);
  // Without a listener, an idle connection that breaks would end the process.
  pool.on("error", (error) => options.log.warn({ error }, "an idle database connection broke"));
  pool.on("connect", (client) => client.on("error", () => {}));
  return {
    pool,
    run: (statement) => runOn(pool, statement),
    transaction: (work, turn) => {
      const run = () => transactionOn(pool, work);
      return turn === undefined ? run() : inTurn(turn, run);
    },
    answers: () =>
      pool.query("SELECT 1").then(
        () => true,
        () => false,
      ),
    newClient: (config) => new direct.Client(config),
    close: () => pool.end(),
  };
}
