import type { Queries } from "@cobs/service-edge";
import { type ChainPoint, presentPoint, type UnsealedTail } from "./audit-chain.ts";
import { AUDIT_COLUMNS, type SealedRow } from "./audit-row.ts";

// One statement, so that all values are of one moment.
const READ = `SELECT archived_sequence, archived_hash, head_sequence, head_hash,
    (SELECT min(sequence) FROM audit_entry) AS first_sequence, (SELECT max(sequence) FROM audit_entry) AS last_sequence
  FROM audit_chain`;

const TAIL = `SELECT count(*) AS entries,
    extract(epoch FROM clock_timestamp() - min(recorded_at))::float8 AS oldest_seconds
  FROM audit_entry WHERE sequence IS NULL`;

/**
 * SQL for the time of the oldest unsealed entry. ORDER BY makes it use the index: after very many entries were written at once,
 * the plan of a plain EXISTS reads the whole table, and keeps doing so when all are sealed.
 */
export const OLDEST_UNSEALED = `SELECT recorded_at FROM audit_entry WHERE sequence IS NULL ORDER BY id LIMIT 1`;

const OLDEST_SECONDS = `SELECT extract(epoch FROM clock_timestamp() - (${OLDEST_UNSEALED}))::float8 AS oldest_seconds`;

// The order to archive writes this entry in its transaction. It comes after the archived entries, and stays until the next order.
const ARCHIVING = `SELECT FROM audit_entry WHERE action = 'audit.archived' AND subject_kind = 'audit'
  AND subject = $1::int8::text AND (sequence IS NULL OR sequence > $1) AND strpos(details, $2) > 0 LIMIT 1`;

const PAGE = `SELECT ${AUDIT_COLUMNS}, sequence, hash FROM audit_entry
  WHERE sequence > $1 ORDER BY sequence LIMIT $2`;

interface ChainRow {
  readonly archived_sequence: bigint;
  readonly archived_hash: Buffer;
  readonly head_sequence: bigint;
  readonly head_hash: Buffer;
  readonly first_sequence: bigint | null;
  readonly last_sequence: bigint | null;
}

/** The chain at one moment. */
export interface ChainState {
  /** Point up to which entries were archived and may be deleted; 0 and zeros before the first archive. */
  readonly archived: ChainPoint;
  readonly head: ChainPoint;
  /** Lowest number of any entry: below 1 only if it was forged. */
  readonly firstSequence: number;
  /** Highest number of any entry: other than the head's only if it was forged. */
  readonly lastSequence: number;
}

/** Reads where the chain begins and ends now. Throws a TypeError when its row is gone, which no statement of ours can cause. */
export async function readChain(queries: Queries): Promise<ChainState> {
  const [row] = await queries.run<ChainRow>({ name: "audit-chain", text: READ, values: [] });
  if (row === undefined) throw new TypeError("the audit chain has no row");
  return {
    archived: presentPoint(row.archived_sequence, row.archived_hash),
    head: presentPoint(row.head_sequence, row.head_hash),
    firstSequence: Number(row.first_sequence ?? 1n),
    lastSequence: Number(row.last_sequence ?? row.archived_sequence),
  };
}

/** The hash before the first entry. */
const BEGINNING = "0".repeat(64);

/** Tells whether an entry records that everything up to this point was archived; a chain that begins at its start needs none. */
export async function isArchivingTold(queries: Queries, { sequence, hash }: ChainPoint): Promise<boolean> {
  if (sequence === 0) return hash === BEGINNING;
  const values = [sequence, JSON.stringify({ hash }).slice(1, -1)];
  const statement = { name: "audit-archiving", text: ARCHIVING, values };
  return (await queries.run(statement)).length > 0;
}

interface OldestRow {
  /** Null without such an entry; negative when the clock was set back meanwhile. */
  readonly oldest_seconds: number | null;
}

const secondsOf = (row: OldestRow | undefined) =>
  row === undefined || row.oldest_seconds === null ? undefined : Math.max(0, row.oldest_seconds);

/** Counts the unsealed entries and finds the age of the oldest. */
export async function readUnsealedTail(queries: Queries): Promise<UnsealedTail> {
  const statement = { name: "audit-tail", text: TAIL, values: [] };
  const [row] = await queries.run<OldestRow & { readonly entries: bigint }>(statement);
  return { entries: Number(row?.entries ?? 0n), oldestSeconds: secondsOf(row) };
}

/** Finds the age of the oldest unsealed entry, in seconds; undefined when all are sealed. It reads only one entry. */
export async function readUnsealedSeconds(queries: Queries): Promise<number | undefined> {
  const statement = { name: "audit-unsealed-age", text: OLDEST_SECONDS, values: [] };
  const [row] = await queries.run<OldestRow>(statement);
  return secondsOf(row);
}

/** Reads at most `limit` sealed entries after a number, in order. */
export function readSealedPage(
  queries: Queries,
  after: number,
  limit: number,
): Promise<readonly SealedRow[]> {
  return queries.run<SealedRow>({ name: "audit-page", text: PAGE, values: [after, limit] });
}
