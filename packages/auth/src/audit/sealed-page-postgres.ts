import type { Queries } from "@cobs/service-edge";
import { AUDIT_COLUMNS, type SealedRow } from "./audit-row.ts";

const PAGE = `SELECT ${AUDIT_COLUMNS}, sequence, hash FROM audit_entry
  WHERE sequence > $1 ORDER BY sequence LIMIT $2`;

/** Sealed entries after a number, in their order, at most `limit`. */
export function readSealedPage(
  queries: Queries,
  after: number,
  limit: number,
): Promise<readonly SealedRow[]> {
  return queries.run<SealedRow>({ name: "audit-page", text: PAGE, values: [after, limit] });
}
