import type { Database, Statement } from "@cobs/service-edge";
import type { Act } from "./act.ts";
import { appendAudit } from "./append-audit-postgres.ts";
import { type ArchivablePart, type ChainPoint, presentPoint } from "./audit-chain.ts";

/** So long entries stay at least: five years (PSD2 Article 21), and the days of two leap years. */
export const KEPT_DAYS = 5 * 365 + 2;

// In hours: a day of a time zone may be one shorter.
const TOO_YOUNG = `recorded_at >= now() - make_interval(hours => ${KEPT_DAYS * 24})`;

// The row that was exported last proves that whoever archives has the export, hash by hash, up to there. That it is old says
// nothing of those before it: a clock may have been set back.
const ARCHIVE = `UPDATE audit_chain SET archived_sequence = kept.sequence, archived_hash = kept.hash
  FROM audit_entry AS kept
  WHERE kept.sequence = $1 AND kept.hash = decode($2, 'hex') AND kept.sequence > archived_sequence
    AND NOT EXISTS (SELECT FROM audit_entry AS going WHERE going.sequence BETWEEN archived_sequence + 1 AND kept.sequence
      AND going.${TOO_YOUNG})
  RETURNING archived_sequence, archived_hash`;

const ARCHIVABLE = `SELECT archived_sequence AS after, coalesce((SELECT sequence - 1 FROM audit_entry
    WHERE sequence > archived_sequence AND ${TOO_YOUNG} ORDER BY sequence LIMIT 1), head_sequence) AS through
  FROM audit_chain`;

/** Each entry of a year is looked at. */
const LIMIT_MILLISECONDS = 60_000;

/**
 * Ends the keeping of all entries up to a place, which must be that of an export that is kept elsewhere; they are then
 * deleted in small batches, and the chain begins after it. Undefined, and nothing is changed, when the place is none of the
 * chain's, or was archived before, or any entry that would go is younger than {@link KEPT_DAYS}.
 */
export function archiveAudit(
  database: Database,
  through: ChainPoint,
  act: Act,
): Promise<ChainPoint | undefined> {
  return database.transaction(async (queries) => {
    const values = [through.sequence, through.hash];
    const limitMilliseconds = LIMIT_MILLISECONDS;
    const statement = { name: "audit-archive", text: ARCHIVE, values, limitMilliseconds };
    const [row] = await queries.run<{ archived_sequence: bigint; archived_hash: Buffer }>(statement);
    if (row === undefined) return undefined;
    const archived = presentPoint(row.archived_sequence, row.archived_hash);
    const subject = { kind: "audit", id: String(archived.sequence) } as const;
    await appendAudit(queries, [
      { act, action: "audit.archived", subject, details: { hash: archived.hash } },
    ]);
    return archived;
  });
}

/** Which entries may be archived now: none when the part has none. Its last one's hash is in an export alone. */
export function findArchivable(database: Database): Promise<ArchivablePart> {
  return database.transaction(async (queries) => {
    const limitMilliseconds = LIMIT_MILLISECONDS;
    const statement = { name: "audit-archivable", text: ARCHIVABLE, values: [], limitMilliseconds };
    const [row] = await queries.run<{ after: bigint; through: bigint }>(statement);
    return { after: Number(row?.after ?? 0n), through: Number(row?.through ?? 0n) };
  });
}

/** Deletes entries that were archived. */
export function forgetArchivedEntries(batchRows: number): Statement {
  const text = `DELETE FROM audit_entry WHERE sequence = ANY (ARRAY(
    SELECT sequence FROM audit_entry WHERE sequence <= (SELECT archived_sequence FROM audit_chain)
    ORDER BY sequence LIMIT ${batchRows} FOR UPDATE SKIP LOCKED)) RETURNING 1`;
  return { name: "audit-forget", text, values: [] };
}
