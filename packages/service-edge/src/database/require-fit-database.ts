/** What a database must be like before a service uses it, whatever its schema. */
import { randomInt } from "node:crypto";
import type pg from "pg";
import { DatabaseUnsuitable } from "./database-unsuitable.ts";

/** Refuses a database in another encoding with `not_utf8`. */
export async function requireUtf8(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>("SHOW server_encoding");
  const encoding = rows[0]?.server_encoding;
  if (encoding === "UTF8") return;
  throw new DatabaseUnsuitable(
    "not_utf8",
    `the encoding of the database is ${encoding}, but must be UTF8: create it with ENCODING 'UTF8' TEMPLATE template0`,
  );
}

/**
 * Why each setting matters. With another date style the driver reads no dates. If a schema comes before `public` in the search
 * path, as one named like the role does, tables are made and looked up there. Without nulls in arrays, a missing value is stored
 * as the word NULL. At another level of isolation, concurrent changes of a row give an error. With fewer digits, a wait of 30
 * minutes is reported as one of 33. Without synchronous commits, a crash of the server undoes what was answered: a withdrawn
 * consent would be active again, and a used code valid once more. From PostgreSQL 18 on, the time zone may redefine the
 * abbreviation UTC; then no audit entry can be written.
 */
const UNFIT_SETTING = `SELECT name, setting, wanted FROM pg_settings JOIN
    (VALUES ('DateStyle', '^ISO', 'ISO'), ('search_path', '(^|[ ,])public(,|$)', 'public'), ('array_nulls', '^on$', 'on'),
      ('default_transaction_isolation', '^read committed$', 'read committed'), ('synchronous_commit', '^(?!off)', 'on'),
      ('extra_float_digits', '^[0-3]$', '1'), ('TimeZone', '^true$', 'UTC'))
    AS fit (name, pattern, wanted) USING (name)
  WHERE CASE name WHEN 'search_path' THEN coalesce(current_schema(), setting)
    WHEN 'TimeZone' THEN (now() AT TIME ZONE 'UTC' = now() AT TIME ZONE interval '0')::text
    ELSE setting END !~ pattern LIMIT 1`;

/** Refuses a connection whose settings the service cannot work with as `other_settings`, with the statement that mends it. */
export async function requireSettings(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; setting: string; wanted: string }>(UNFIT_SETTING);
  const [unfit] = rows;
  if (unfit === undefined) return;
  const { name, setting, wanted } = unfit;
  throw new DatabaseUnsuitable(
    "other_settings",
    `${name} is ${setting} for this role, but must be ${wanted}: ALTER ROLE … IN DATABASE … SET ${name} = '${wanted}'`,
  );
}

/** Checks that the pooler, perhaps used with another role, leads to the same database as the direct connection. */
export async function requireSameBehind(pooler: pg.Client, direct: pg.Client): Promise<void> {
  const key = [randomInt(2 ** 48 - 1)];
  await direct.query("SELECT pg_advisory_lock($1)", key);
  // A lock belongs to one database: held there, it is still free in every other, even in a copy.
  const { rows } = await pooler.query<{ free: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS free", key);
  if (rows[0]?.free !== false)
    throw new DatabaseUnsuitable(
      "behind_pooler_another",
      "DATABASE_URL and DATABASE_DIRECT_URL lead to different databases",
    );
  await requireSettings(pooler);
}
