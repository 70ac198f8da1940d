import type { Queries } from "@cobs/service-edge";
import { type ChainPoint, presentPoint, type UnsealedTail } from "./audit-chain.ts";
import { chainHash, type SealedRow } from "./audit-row.ts";
import { type ChainState, readChain, readUnsealedTail } from "./read-chain-postgres.ts";
import { readSealedPage } from "./sealed-page-postgres.ts";

/**
 * What is wrong at the first broken place:
 * - `changed`: the entry is not what was sealed there; also one that took the number of an entry that was removed
 * - `missing`: no entry has this number
 * - `inserted`: the entry was not there when the ones after it were sealed, or comes after the head
 * - `reordered`: the entry belongs to another place
 * - `rewritten`: every entry fits the one before, but the hash is not the one that was kept
 */
export type AuditFault = "changed" | "missing" | "inserted" | "reordered" | "rewritten";

/** What a check found. */
export interface AuditCheck {
  /** Where the check began: after what was archived. */
  readonly from: ChainPoint;
  /** Up to here everything is as it was sealed. */
  readonly intactThrough: ChainPoint;
  /** The first broken place, by its number; undefined when the chain is intact up to its head. */
  readonly broken: { readonly sequence: number; readonly fault: AuditFault } | undefined;
  readonly unsealed: UnsealedTail;
}

const PAGE_ENTRIES = 500;

type Broken = NonNullable<AuditCheck["broken"]>;
type Walk = Pick<AuditCheck, "from" | "intactThrough" | "broken">;

const bytesOf = ({ hash }: ChainPoint) => Buffer.from(hash, "hex");
const follows = (previous: Uint8Array, row: SealedRow) => chainHash(previous, row).equals(row.hash);

/** Says why an entry does not follow, by those after it: whether one of them does, and whether it follows one of them. */
async function explain(queries: Queries, previous: Uint8Array, row: SealedRow): Promise<AuditFault> {
  const later = await readSealedPage(queries, Number(row.sequence), PAGE_ENTRIES);
  if (!later.some((each) => follows(previous, each))) return "changed";
  return later.some(({ hash }) => follows(hash, row)) ? "reordered" : "inserted";
}

/** The first entry of a page that is not as it was sealed, or the last good place. */
async function walkPage(
  queries: Queries,
  from: ChainPoint,
  rows: readonly SealedRow[],
): Promise<{ readonly reached: ChainPoint; readonly broken?: Broken }> {
  let reached = from;
  for (const row of rows) {
    const sequence = reached.sequence + 1;
    if (Number(row.sequence) !== sequence) return { reached, broken: { sequence, fault: "missing" } };
    const previous = bytesOf(reached);
    if (!follows(previous, row)) {
      return { reached, broken: { sequence, fault: await explain(queries, previous, row) } };
    }
    reached = presentPoint(row.sequence, row.hash);
  }
  return { reached };
}

function faultAtEnd({ head, lastSequence }: ChainState, reached: ChainPoint): Broken | undefined {
  if (reached.hash !== head.hash) return { sequence: head.sequence, fault: "rewritten" };
  return lastSequence > head.sequence ? { sequence: head.sequence + 1, fault: "inserted" } : undefined;
}

async function walk(queries: Queries, state: ChainState, known: ChainPoint | undefined): Promise<Walk> {
  const { archived: from, head } = state;
  let reached = from;
  while (reached.sequence < head.sequence) {
    const stop = known !== undefined && known.sequence > reached.sequence ? known.sequence : head.sequence;
    const room = Math.min(PAGE_ENTRIES, Math.min(stop, head.sequence) - reached.sequence);
    const rows = await readSealedPage(queries, reached.sequence, room);
    const page = await walkPage(queries, reached, rows);
    reached = page.reached;
    const missing =
      rows.length < room ? { sequence: reached.sequence + 1, fault: "missing" as const } : undefined;
    const broken = page.broken ?? missing;
    if (broken !== undefined) return { from, intactThrough: reached, broken };
    if (known?.sequence === reached.sequence && known.hash !== reached.hash) {
      return { from, intactThrough: from, broken: { sequence: reached.sequence, fault: "rewritten" } };
    }
  }
  if (known !== undefined && known.sequence > head.sequence) {
    return { from, intactThrough: reached, broken: { sequence: head.sequence + 1, fault: "missing" } };
  }
  return { from, intactThrough: reached, broken: faultAtEnd(state, reached) };
}

/**
 * Walks the chain from its beginning to the head of this moment, in pages, however long it is. With a `known` place, such
 * as an exported head or one from the log, also that this very chain went through it: that alone shows what somebody
 * rewrote who may do everything in the database. What is sealed or archived meanwhile does not disturb it.
 */
export async function checkAudit(queries: Queries, known?: ChainPoint): Promise<AuditCheck> {
  const state = await readChain(queries);
  const found = await walk(queries, state, known);
  if (found.broken !== undefined) {
    const { archived } = await readChain(queries);
    if (archived.sequence > state.archived.sequence) return checkAudit(queries, known);
  }
  return { ...found, unsealed: await readUnsealedTail(queries) };
}
