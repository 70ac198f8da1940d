import { type SandboxHistory, seedSandboxHistory } from "@cobs/resource/sandbox";
import type { Secret } from "@cobs/service-edge/configuration";
import { isDatabaseUnavailable } from "@cobs/service-edge/database";
import type pg from "pg";
import { connect } from "./connect-postgres.ts";
import { SeedRefusal } from "./seed-refusal.ts";

/** Whether the environment says that this is a sandbox; without it the database must have been one before. */
export type Place = { readonly url: Secret; readonly isSandbox: boolean };

/** How to stop it, and who is told that it waits for another one of the same name. */
export type Course = { readonly interrupted: AbortSignal; readonly waits: () => void };

/**
 * Brings a history into the database of a resource server, all or nothing: false when it is there already. Refuses with
 * `no_database`, `not_sandbox` and `interrupted`; whatever the making of the entries throws ends it, with nothing left behind.
 */
export async function bringIn(place: Place, history: SandboxHistory, course: Course): Promise<boolean> {
  const client = await connect(place.url, "sandbox seed");
  try {
    const isNew = await untilInterrupted(client, course.interrupted, async () => {
      await requireSandbox(client, place.isSandbox);
      await client.query(LIFT_LIMITS);
      await client.query("BEGIN");
      await takeTurn(client, history.name, course.waits);
      return seedSandboxHistory(client, history);
    });
    await client.query("COMMIT");
    // So that the first reads find what they would find an hour later; without it, everything is there all the same.
    if (isNew) await client.query("VACUUM (ANALYZE) sandbox_entry").catch(() => undefined);
    return isNew;
  } catch (cause) {
    throw isDatabaseUnavailable(cause)
      ? new SeedRefusal("no_database", whyNotTaken(cause), { cause })
      : cause;
  } finally {
    // The end of a connection ends its transaction.
    await client.end();
  }
}

/** Work that no COMMIT has followed ends with its connection, whatever that is waiting for. */
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
    throw interrupted.aborted ? new SeedRefusal("interrupted", "interrupted: nothing was brought in") : error;
  } finally {
    interrupted.removeEventListener("abort", end);
  }
}

/** Of two of one name the second would wait in silence. */
async function takeTurn(client: pg.Client, name: string, waits: () => void): Promise<void> {
  const key = "hashtextextended('sandbox seed ' || $1, 0)";
  const { rows } = await client.query(`SELECT pg_try_advisory_xact_lock(${key}) AS free`, [name]);
  if (rows[0]?.free === true) return;
  waits();
  await client.query(`SELECT pg_advisory_xact_lock(${key})`, [name]);
}

/** They are meant for calls, and all of it is one statement. */
const LIFT_LIMITS = `SELECT set_config(name, '0', false) FROM pg_settings
  WHERE name IN ('statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout', 'lock_timeout')`;

/** Where the connection broke at the very end, it may be there. */
function whyNotTaken(cause: unknown): string {
  const words = cause instanceof Error ? cause.message : String(cause);
  return `the database did not take it: ${words}. Run it again: nothing is brought in twice`;
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
