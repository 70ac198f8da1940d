import type { PageQuestion, Queries } from "@cobs/service-edge";
import { type ChainPoint, presentPoint } from "./audit-chain.ts";
import { presentCanonicalEntry, type SealedRow } from "./audit-row.ts";
import { readChain, readSealedPage } from "./read-chain-postgres.ts";

/** Most entries on one page. */
export const MAX_EXPORTED_ENTRIES = 1_000;

/** A page of the export. */
export interface AuditExport {
  /**
   * JSON lines without their line feeds, in the order of the chain:
   * `{"entry":{…},"hash":"<64 hexadecimal digits>","sequence":1}`. `entry` is byte for byte what was hashed after the 32 bytes of
   * the previous hash, so that the lines can be checked without this server.
   */
  readonly lines: readonly string[];
  /** Point after which the page begins. When there are fewer lines than numbers from here to `last`, entries are missing. */
  readonly from: ChainPoint;
  /** Point of the last line, or `from` when there is none; the next page begins after it. */
  readonly last: ChainPoint;
  /** Head of the chain: more pages follow while `last` lies before it. */
  readonly head: ChainPoint;
}

function presentLine(row: SealedRow): string {
  return `{"entry":${presentCanonicalEntry(row)},"hash":"${row.hash.toString("hex")}","sequence":${row.sequence}}`;
}

async function placeOf(queries: Queries, sequence: number): Promise<ChainPoint | undefined> {
  const [row] = await readSealedPage(queries, sequence - 1, 1);
  return row !== undefined && Number(row.sequence) === sequence
    ? presentPoint(row.sequence, row.hash)
    : undefined;
}

/**
 * Exports the sealed entries after a number, or all that are kept: at most `limit` and {@link MAX_EXPORTED_ENTRIES}, and none
 * beyond the returned head. Undefined when `after` is not in the chain: before the archived point, or beyond the head.
 */
export async function exportAudit(
  queries: Queries,
  { limit, ...asked }: PageQuestion<number>,
): Promise<AuditExport | undefined> {
  const { archived, head } = await readChain(queries);
  const { after = archived.sequence } = asked;
  const start = after === archived.sequence ? archived : await placeOf(queries, after);
  if (start === undefined || after < archived.sequence) return undefined;
  const page = await readSealedPage(queries, after, Math.min(limit, MAX_EXPORTED_ENTRIES));
  // More entries may have been sealed since the head was read.
  const rows = page.filter(({ sequence }) => sequence <= head.sequence);
  const last = rows.at(-1);
  return {
    lines: rows.map(presentLine),
    from: start,
    last: last === undefined ? start : presentPoint(last.sequence, last.hash),
    head,
  };
}
