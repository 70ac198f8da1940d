import pg from "pg";
import type { Secret } from "../configuration/secret.ts";
import type { Log } from "../log/log.ts";
import { createDatabaseHosts, type DatabaseHosts } from "./database-hosts.ts";
import { DatabaseUnreachable, isDatabaseUnavailable } from "./database-unavailable.ts";
import { createTurns } from "./turns.ts";

/** What a statement needs: its text, a name under which the server keeps its plan, and its values. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** How long it may take where that is longer than for others: for what ends very much at once, in a transaction. */
  readonly limitMilliseconds?: number;
  /** Whether JSON of the rows stays text: for what is handed on and not read. */
  readonly keepsJson?: boolean;
  /** Whether its text is of {@link inOneJson}. */
  readonly isInOneJson?: boolean;
}

/** Runs statements; either each for itself or inside one transaction. */
export interface Queries {
  run<Row>(statement: Statement): Promise<readonly Row[]>;
}

/** The database of a service. */
export interface Database extends Queries {
  /**
   * Runs `work` in one transaction: all of it is committed, or none, and then it rejects, whatever `work` has made of an error.
   * `turn` names what it waits for in the database, where a caller can send very many that wait for the same: of those of this
   * process one at a time has a connection, so that they do not take all of them from everybody else.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>, turn?: string): Promise<T>;
  /** Whether the database answers at this moment. */
  answers(): Promise<boolean>;
  /** A connection of its own, not made yet: outside the pool, and past a pooler in front of the server. */
  newClient(config: pg.ClientConfig): pg.Client;
  close(): Promise<void>;
  readonly pool: pg.Pool;
}

/** How long a free connection and a statement are waited for, in milliseconds. */
export interface DatabaseTimeLimits {
  readonly connection: number;
  readonly statement: number;
}

/** Each is less than the three seconds within which a caller is told that the database is down. */
export const DATABASE_TIME_LIMITS: DatabaseTimeLimits = { connection: 1_500, statement: 2_500 };
/** The server ends a statement itself; only when nothing comes from there we do, a little later. */
const ANSWER_MILLISECONDS = 250;

const parseBigint = (text: string) => BigInt(text);
const parsers: pg.CustomTypesConfig = {
  // int8 comes as bigint: amounts are minor units and counts must not lose digits.
  getTypeParser: (oid: number, format?: string) =>
    oid === pg.types.builtins.INT8 && format !== "binary" ? parseBigint : pg.types.getTypeParser(oid, "text"),
};

const JSON_TYPES: ReadonlySet<number> = new Set([pg.types.builtins.JSON, pg.types.builtins.JSONB]);
const keepingJson: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    JSON_TYPES.has(oid) ? String : parsers.getTypeParser(oid, format),
};

/**
 * A query whose rows come together as one JSON text, for what is asked very often: the driver spends as much on the columns of
 * each row as `JSON.parse` on all rows. JSON has no other numbers than a double's, so that no column may be an `int8`, nor
 * `bytea`; a time, which may not be infinite, is a text that `Date` reads.
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

/** Lets one statement of a transaction take longer; those after it have the limit of all others again. */
async function runInTransaction<Row>(client: pg.PoolClient, statement: Statement): Promise<readonly Row[]> {
  const { limitMilliseconds } = statement;
  if (limitMilliseconds === undefined) return runOn(client, statement);
  await client.query(`SET LOCAL statement_timeout = ${limitMilliseconds}`);
  const rows = await runOn<Row>(client, statement);
  await client.query("SET LOCAL statement_timeout TO DEFAULT");
  return rows;
}

/** What a connection has prepared gives something else by now, or is gone: the driver would send it again and again. */
const STALE_PLAN_CODES: ReadonlySet<string | undefined> = new Set(["0A000", "26000"]);

const isStalePlan = (error: unknown) => error instanceof pg.DatabaseError && STALE_PLAN_CODES.has(error.code);

async function transactionOn<T>(pool: pg.Pool, work: (queries: Queries) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query("BEGIN");
    const result = await work({ run: (statement) => runInTransaction(client, statement) });
    const { command } = await client.query("COMMIT");
    // Where a statement has failed, whoever caught its error, PostgreSQL rolls back, and that is no error to it.
    if (command !== "COMMIT")
      throw new Error("a statement of the transaction failed, and nothing was committed");
    return result;
  } catch (error) {
    // A connection that does not answer is given up, which ends its transaction: ROLLBACK would wait as long again.
    broken = isDatabaseUnavailable(error) || isStalePlan(error);
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

/** A database that was there at the start is away when no connection to it can be made, for whatever reason. */
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

/** Opens a bounded pool whose connections, statements and waits all have time limits. */
export function openDatabase(options: {
  readonly url: Secret;
  /** The servers behind the URL, where the process knows some of them already. */
  readonly hosts?: DatabaseHosts;
  /** The same servers without a pooler, where `hosts` has one in front. */
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
  // Without a listener an idle connection that breaks would end the process.
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
