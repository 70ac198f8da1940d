import { type SandboxHistory, seedSandboxHistory } from "@cobs/resource/sandbox";
import type { Secret } from "@cobs/service-edge/configuration";
import { isDatabaseUnavailable } from "@cobs/service-edge/database";
import type pg from "pg";
import { connect } from "./connect-postgres.ts";
import { SeedRefusal } from "./seed-refusal.ts";

/** Whether the environment says that this is a sandbox; without it the database must have been one before. */
export type Place = { readonly url: Secret; readonly isSandbox: boolean };

/**
 * Brings a history into the database of a resource server, all or nothing: false when it is there already. Refuses with
 * `no_database` and `not_sandbox`; whatever the making of the entries throws ends it, with nothing left behind.
 */
export async function bringIn({ url, isSandbox }: Place, history: SandboxHistory): Promise<boolean> {
  const client = await connect(url, "sandbox seed");
  try {
    await requireSandbox(client, isSandbox);
    await client.query(LIFT_LIMITS);
    await client.query("BEGIN");
    const isNew = await seedSandboxHistory(client, history);
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
