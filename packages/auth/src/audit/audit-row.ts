import { createHash } from "node:crypto";

/** An audit entry as a row. */
export interface AuditRow {
  readonly id: bigint;
  /** UTC, to the microsecond. */
  readonly recorded_at: string;
  readonly actor_kind: string;
  readonly actor: string;
  readonly certificate: string | null;
  readonly request_id: string | null;
  readonly action: string;
  readonly subject_kind: string;
  readonly subject: string;
  /** Canonical JSON. */
  readonly details: string;
}

/** An entry with its position in the chain. */
export type SealedRow = AuditRow & { readonly sequence: bigint; readonly hash: Buffer };

/**
 * SQL for the time of an entry in an {@link AuditRow}. It avoids the zone name UTC, which a role's settings may give another
 * meaning.
 */
export const RECORDED_AT = `to_char(audit_entry.recorded_at AT TIME ZONE interval '0', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS recorded_at`;

/** The columns of an {@link AuditRow}; all of them are hashed. */
export const AUDIT_COLUMNS = `id, actor_kind, actor, certificate, request_id, action, subject_kind, subject, details,
  ${RECORDED_AT}`;

/**
 * Builds the canonical text of an entry, which is hashed and exported: JSON after RFC 8785, without the position in the chain.
 * `details` is taken as stored, byte for byte.
 */
export function presentCanonicalEntry(row: AuditRow): string {
  const members = [
    ["action", JSON.stringify(row.action)],
    ["actor", JSON.stringify(row.actor)],
    ["actorKind", JSON.stringify(row.actor_kind)],
    ["certificate", JSON.stringify(row.certificate)],
    ["details", row.details],
    ["id", String(row.id)],
    ["recordedAt", JSON.stringify(row.recorded_at)],
    ["requestId", JSON.stringify(row.request_id)],
    ["subject", JSON.stringify(row.subject)],
    ["subjectKind", JSON.stringify(row.subject_kind)],
  ];
  return `{${members.map(([name, value]) => `"${name}":${value}`).join()}}`;
}

/** Computes the hash of an entry: SHA-256 over the 32 bytes of the previous hash and the entry's canonical text. */
export function chainHash(previous: Uint8Array, row: AuditRow): Buffer {
  return createHash("sha256").update(previous).update(presentCanonicalEntry(row)).digest();
}
