import { seedSandboxHistory } from "@cobs/resource/sandbox";
import type { Secret } from "@cobs/service-edge/configuration";
import { isDatabaseUnavailable } from "@cobs/service-edge/database";
import type pg from "pg";
import { connect } from "./connect-postgres.ts";
import { type OrderedHistory, requireSameOrder } from "./require-same-order-postgres.ts";
import { SeedRefusal } from "./seed-refusal.ts";

/** A database, and whether the environment says that this is a sandbox; otherwise the database must already be one. */
export type Place = { readonly url: Secret; readonly isSandbox: boolean };

/** How to interrupt the work, and whom to tell that it waits for another run of the same name. */
export type Course = { readonly interrupted: AbortSignal; readonly waits: () => void };

/**
 * Loads a history into the database of a resource server, all or nothing; gives false if it is already there. Refuses with
 * `no_database`, `not_sandbox`, `interrupted`, and `usage` if another one of its name is there. Any error of making the entries ends it, with nothing left behind.
 */
export async function bringIn(place: Place, history: OrderedHistory, course: Course): Promise<boolean> {
  const client = await connect(place.url, "sandbox seed");
  try {
    const isNew = await untilInterrupted(client, course.interrupted, async () => {
      await requireSandbox(client, place.isSandbox);
      await client.query(LIFT_LIMITS);
      await client.query("BEGIN");
      await takeTurn(client, history.name, course.waits);
      const isAdded = await seedSandboxHistory(client, history);
      if (!isAdded) await requireSameOrder(client, history);
      return isAdded;
    });
    await client.query("COMMIT");
    // Gives the first reads what autovacuum would give them later; if it fails, the data is there all the same.
    if (isNew) await client.query("VACUUM (ANALYZE) sandbox_entry").catch(() => undefined);
    return isNew;
  } catch (cause) {
    throw isDatabaseUnavailable(cause)
      ? new SeedRefusal("no_database", whyNotTaken(cause), { cause })
      : cause;
  } finally {
    // Closing a connection ends its transaction.
    await client.end();
  }
}

/** Runs uncommitted work; an interruption ends its connection, whatever that is waiting for. */
async function untilInterrupted<T>(
  client: pg.Client,
  interrupted: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const end = () => void client.end();
  interrupted.addEventListener("abort", end);
  try {
    interrupted.throwIfAborted();
    return await work();
  } catch (error) {
    throw interrupted.aborted ? new SeedRefusal("interrupted", "interrupted: nothing was added") : error;
  } finally {
    interrupted.removeEventListener("abort", end);
  }
}

/** Takes the lock of a name, and says so if it must wait: two runs of one name would otherwise wait in silence. */
async function takeTurn(client: pg.Client, name: string, waits: () => void): Promise<void> {
  const key = "hashtextextended('sandbox seed ' || $1, 0)";
  const { rows } = await client.query(`SELECT pg_try_advisory_xact_lock(${key}) AS free`, [name]);
  if (rows[0]?.free === true) return;
  waits();
  await client.query(`SELECT pg_advisory_xact_lock(${key})`, [name]);
}

/** Lifts the time limits: they are meant for calls, and the whole history is one statement. */
const LIFT_LIMITS = `SELECT set_config(name, '0', false) FROM pg_settings
  WHERE name IN ('statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout', 'lock_timeout')`;

/** Why nothing was loaded; if the connection broke at the very end, it may have been. */
function whyNotTaken(cause: unknown): string {
  const words = cause instanceof Error ? cause.message : String(cause);
  return `the database failed: ${words}. Run the command again: nothing is added twice`;
}

async function requireSandbox(client: pg.Client, isSandbox: boolean): Promise<void> {
  const tables = await client.query("SELECT to_regclass('sandbox_seed') IS NOT NULL AS exist");
  if (tables.rows[0]?.exist !== true)
    throw new SeedRefusal("not_sandbox", "the database has no sandbox bank; start the sandbox first");
  if (isSandbox) return;
  const { rowCount } = await client.query("SELECT FROM sandbox_seed LIMIT 1");
  if (rowCount === 0)
    throw new SeedRefusal(
      "not_sandbox",
      "the database is not one of a sandbox; MODE=sandbox says that it is",
    );
}
