import type pg from "pg";
import { DatabaseUnsuitable } from "./database-unsuitable.ts";

interface Numbered {
  readonly table: string;
  /** Quoted as an identifier, with its schema. */
  readonly sequence: string;
}

/** The tables that are there already and whose sequence the role may read: one that only uses the tables may not. */
const WITH_SEQUENCE = `SELECT name AS table, sequence
  FROM unnest($1::text[]) WITH ORDINALITY AS wanted (name, place) CROSS JOIN LATERAL
    (SELECT CASE WHEN to_regclass(name) IS NOT NULL THEN pg_get_serial_sequence(name, 'id') END AS sequence) AS found
  WHERE has_sequence_privilege(sequence, 'SELECT') ORDER BY place`;

/**
 * Whether the id that comes next is there already. The statement sees the rows committed before it; a sequence, which belongs to
 * no transaction, was past their ids even earlier. So processes that add rows meanwhile cause no mistake.
 */
function isBehind({ table, sequence }: Numbered): string {
  return `(SELECT max(id) FROM ${table}) >= (SELECT last_value + is_called::int FROM ${sequence}) AS "${table}"`;
}

const mendingOf = ({ table, sequence }: Numbered) =>
  `SELECT setval('${sequence.replaceAll("'", "''")}', max(id)) FROM ${table}`;

/**
 * Refuses a database in which a table already has the `id` that its sequence would give next, as `sequences_behind`: nothing could
 * be added. Logical replication leaves that, because it copies no sequences. Tables that are not there yet are fit.
 */
export async function requireSequencesAhead(client: pg.Client, tables: readonly string[]): Promise<void> {
  const { rows: numbered } = await client.query<Numbered>(WITH_SEQUENCE, [tables]);
  if (numbered.length === 0) return;
  const { rows } = await client.query<Record<string, boolean | null>>(
    `SELECT ${numbered.map(isBehind).join(", ")}`,
  );
  const behind = numbered.filter(({ table }) => rows[0]?.[table] === true);
  if (behind.length === 0) return;
  throw new DatabaseUnsuitable(
    "sequences_behind",
    `ids that a sequence gives next are there already, as after logical replication, in ${behind.map(({ table }) => table).join(", ")}. As the role that owns the database, run: ${behind.map(mendingOf).join("; ")}`,
  );
}
