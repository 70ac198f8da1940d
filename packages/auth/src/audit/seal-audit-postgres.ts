import type { Database, Queries } from "@cobs/service-edge";
import { AUDIT_COLUMNS, type AuditRow, chainHash } from "./audit-row.ts";
import { OLDEST_UNSEALED } from "./read-chain-postgres.ts";

/** Most entries sealed in one transaction. */
export const SEAL_BATCH_ENTRIES = 500;
/** Octets of details at which a batch is full, so that it stays far below the time limit of a statement. */
const SEAL_BATCH_OCTETS = 16_000_000;

// The process that locks the row seals; the others skip. Statements after this one see what earlier sealers committed. The lock
// is a write, so it is taken only when there is something to seal: otherwise standbys and the WAL archive would get one every
// second.
const TAKE_HEAD = `SELECT head_sequence, head_hash FROM audit_chain
  WHERE (${OLDEST_UNSEALED}) IS NOT NULL FOR UPDATE SKIP LOCKED`;

const UNSEALED = `SELECT ${AUDIT_COLUMNS}
  FROM (SELECT *, sum(octet_length(details)) OVER (ORDER BY id) - octet_length(details) AS octets_before
    FROM (SELECT * FROM audit_entry WHERE sequence IS NULL ORDER BY id LIMIT ${SEAL_BATCH_ENTRIES}) AS oldest) AS audit_entry
  WHERE octets_before < ${SEAL_BATCH_OCTETS} ORDER BY id`;

const SEAL = `UPDATE audit_entry SET sequence = $2::int8 + sealed.nth, hash = sealed.hash
  FROM unnest($1::int8[], $3::bytea[]) WITH ORDINALITY AS sealed (id, hash, nth) WHERE audit_entry.id = sealed.id`;

const MOVE_HEAD = "UPDATE audit_chain SET head_sequence = head_sequence + $1, head_hash = $2";

function hashInTurn(head: Uint8Array, rows: readonly AuditRow[]): readonly Buffer[] {
  let previous = head;
  return rows.map((row) => {
    const hash = chainHash(previous, row);
    previous = hash;
    return hash;
  });
}

async function sealIn(queries: Queries): Promise<readonly AuditRow[]> {
  const take = { name: "audit-take-head", text: TAKE_HEAD, values: [] };
  const [head] = await queries.run<{ head_sequence: bigint; head_hash: Buffer }>(take);
  if (head === undefined) return [];
  const rows = await queries.run<AuditRow>({ name: "audit-unsealed", text: UNSEALED, values: [] });
  const hashes = hashInTurn(head.head_hash, rows);
  const last = hashes.at(-1);
  if (last === undefined) return [];
  const values = [rows.map(({ id }) => String(id)), String(head.head_sequence), hashes];
  await queries.run({ name: "audit-seal", text: SEAL, values });
  await queries.run({ name: "audit-move-head", text: MOVE_HEAD, values: [rows.length, last] });
  return rows;
}

/**
 * Seals committed entries, oldest first, at most {@link SEAL_BATCH_ENTRIES}, and fewer if they are large. Returns how many; 0
 * also when another process is sealing. Numbers have no gap. An entry whose transaction commits late comes after those sealed
 * meanwhile. A batch is sealed as a whole or not at all; then `tell` is called for each of its entries.
 */
export async function sealBatch(
  database: Database,
  tell: (sealed: Pick<AuditRow, "action" | "actor_kind">) => void = () => {},
): Promise<number> {
  const rows = await database.transaction(sealIn);
  for (const row of rows) tell(row);
  return rows.length;
}
