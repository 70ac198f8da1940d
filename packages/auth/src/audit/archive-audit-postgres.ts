import type { Database, Statement } from "@cobs/service-edge";
import type { Act } from "./act.ts";
import { appendAudit } from "./append-audit-postgres.ts";
import { type ArchivablePart, type ChainPoint, presentPoint } from "./audit-chain.ts";

/** Days that entries stay at least: five years (PSD2 Article 21), with two leap days. */
export const KEPT_DAYS = 5 * 365 + 2;

// In hours, because a day in a time zone with daylight saving may be shorter.
const TOO_YOUNG = `recorded_at >= now() - make_interval(hours => ${KEPT_DAYS * 24})`;

// Number and hash of the last exported row prove that the operator has the export up to there. Each entry's age is checked,
// because entries before an old one may be younger: a clock may have been set back.
const ARCHIVE = `UPDATE audit_chain SET archived_sequence = kept.sequence, archived_hash = kept.hash
  FROM audit_entry AS kept
  WHERE kept.sequence = $1 AND kept.hash = decode($2, 'hex') AND kept.sequence > archived_sequence
    AND NOT EXISTS (SELECT FROM audit_entry AS going WHERE going.sequence BETWEEN archived_sequence + 1 AND kept.sequence
      AND going.${TOO_YOUNG})
  RETURNING archived_sequence, archived_hash`;

const ARCHIVABLE = `SELECT archived_sequence AS after, coalesce((SELECT sequence - 1 FROM audit_entry
    WHERE sequence > archived_sequence AND ${TOO_YOUNG} ORDER BY sequence LIMIT 1), head_sequence) AS through
  FROM audit_chain`;

/** Long, because the entries of a whole year may be read. */
const LIMIT_MILLISECONDS = 60_000;

/**
 * Archives all entries up to a point, which must be in an export kept elsewhere: they are then deleted in small batches, and the
 * chain begins after it. Undefined, with nothing changed, when the chain has no such point, when it was archived before, or when
 * any of these entries is younger than {@link KEPT_DAYS}.
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

/**
 * Finds the entries that may be archived now; the part is empty if there are none. Only an export has the hash of the last one.
 */
export function findArchivable(database: Database): Promise<ArchivablePart> {
  return database.transaction(async (queries) => {
    const limitMilliseconds = LIMIT_MILLISECONDS;
    const statement = { name: "audit-archivable", text: ARCHIVABLE, values: [], limitMilliseconds };
    const [row] = await queries.run<{ after: bigint; through: bigint }>(statement);
    return { after: Number(row?.after ?? 0n), through: Number(row?.through ?? 0n) };
  });
}

/** Builds the statement that deletes a batch of archived entries. */
export function forgetArchivedEntries(batchRows: number): Statement {
  const text = `DELETE FROM audit_entry WHERE sequence = ANY (ARRAY(
    SELECT sequence FROM audit_entry WHERE sequence <= (SELECT archived_sequence FROM audit_chain)
    ORDER BY sequence LIMIT ${batchRows} FOR UPDATE SKIP LOCKED)) RETURNING 1`;
  return { name: "audit-forget", text, values: [] };
}
