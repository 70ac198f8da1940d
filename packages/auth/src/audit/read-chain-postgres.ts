import type { Queries } from "@cobs/service-edge";
import { type ChainPoint, presentPoint, type UnsealedTail } from "./audit-chain.ts";
import { AUDIT_COLUMNS, type SealedRow } from "./audit-row.ts";

// One statement sees one moment.
const READ = `SELECT archived_sequence, archived_hash, head_sequence, head_hash,
    (SELECT max(sequence) FROM audit_entry) AS last_sequence
  FROM audit_chain`;

const TAIL = `SELECT count(*) AS entries,
    extract(epoch FROM clock_timestamp() - min(recorded_at))::float8 AS oldest_seconds
  FROM audit_entry WHERE sequence IS NULL`;

// The order to archive leaves it in the same transaction; it comes after all that goes, and stays until the next one.
const ARCHIVING = `SELECT FROM audit_entry WHERE action = 'audit.archived' AND subject_kind = 'audit'
  AND subject = $1::int8::text AND (sequence IS NULL OR sequence > $1) AND strpos(details, $2) > 0 LIMIT 1`;

const PAGE = `SELECT ${AUDIT_COLUMNS}, sequence, hash FROM audit_entry
  WHERE sequence > $1 ORDER BY sequence LIMIT $2`;

interface ChainRow {
  readonly archived_sequence: bigint;
  readonly archived_hash: Buffer;
  readonly head_sequence: bigint;
  readonly head_hash: Buffer;
  readonly last_sequence: bigint | null;
}

/** The chain at one moment. */
export interface ChainState {
  /** Up to here entries were archived and may be gone; 0 and zeros before the first archive. */
  readonly archived: ChainPoint;
  readonly head: ChainPoint;
  /** The highest number that any entry has: that of the head, or somebody has forged it. */
  readonly lastSequence: number;
}

/** Where the chain begins and ends now. Throws a TypeError when its row is gone, which no statement of ours does. */
export async function readChain(queries: Queries): Promise<ChainState> {
  const [row] = await queries.run<ChainRow>({ name: "audit-chain", text: READ, values: [] });
  if (row === undefined) throw new TypeError("the audit chain has no row");
  return {
    archived: presentPoint(row.archived_sequence, row.archived_hash),
    head: presentPoint(row.head_sequence, row.head_hash),
    lastSequence: Number(row.last_sequence ?? row.archived_sequence),
  };
}

/** Whether an entry tells that everything up to here was archived; of a chain that begins at its beginning nothing has to. */
export async function isArchivingTold(queries: Queries, { sequence, hash }: ChainPoint): Promise<boolean> {
  const values = [sequence, JSON.stringify({ hash }).slice(1, -1)];
  const statement = { name: "audit-archiving", text: ARCHIVING, values };
  return sequence === 0 || (await queries.run(statement)).length > 0;
}

/** How much is not sealed, and for how long. */
export async function readUnsealedTail(queries: Queries): Promise<UnsealedTail> {
  const statement = { name: "audit-tail", text: TAIL, values: [] };
  const [row] = await queries.run<{ entries: bigint; oldest_seconds: number | null }>(statement);
  const seconds = row?.oldest_seconds ?? undefined;
  // Less than nothing, when the clock was set back meanwhile.
  const oldestSeconds = seconds === undefined ? undefined : Math.max(0, seconds);
  return { entries: Number(row?.entries ?? 0n), oldestSeconds };
}

/** Sealed entries after a number, in their order, at most `limit`. */
export function readSealedPage(
  queries: Queries,
  after: number,
  limit: number,
): Promise<readonly SealedRow[]> {
  return queries.run<SealedRow>({ name: "audit-page", text: PAGE, values: [after, limit] });
}
