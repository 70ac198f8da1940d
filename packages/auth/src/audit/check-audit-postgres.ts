import type { Queries } from "@cobs/service-edge";
import { type ChainPoint, presentPoint, type UnsealedTail } from "./audit-chain.ts";
import { chainHash, type SealedRow } from "./audit-row.ts";
import {
  type ChainState,
  isArchivingTold,
  readChain,
  readSealedPage,
  readUnsealedTail,
} from "./read-chain-postgres.ts";

/**
 * What is wrong at the first broken place:
 * - `changed`: the entry is not what was sealed there; also an entry that took the number of a removed one
 * - `missing`: no entry has this number; or the chain begins after it and no entry records that it was archived; or it is known
 *   from elsewhere, and nothing is left to compare it with
 * - `inserted`: the entry did not exist when those after it were sealed, or comes after the head, or before number 1
 * - `reordered`: the entry belongs to another position
 * - `rewritten`: every entry fits the one before, but the hash is not the known one; all entries before may be forged
 */
export type AuditFault = "changed" | "missing" | "inserted" | "reordered" | "rewritten";

/** Result of a check. */
export interface AuditCheck {
  /** Where the check began: after the archived entries. */
  readonly from: ChainPoint;
  /** Point up to which everything is as it was sealed. */
  readonly intactThrough: ChainPoint;
  /** Number of the first broken place; undefined when the checked part is intact. */
  readonly broken: { readonly sequence: number; readonly fault: AuditFault } | undefined;
  /** Where the next part begins; undefined when the chain is broken, or intact up to its head. */
  readonly next: ChainPoint | undefined;
  readonly unsealed: UnsealedTail;
}

/** A part of the chain: at most `limit` entries from the start, or after `next` of the part before. */
export interface ChainPart {
  readonly after?: ChainPoint | undefined;
  readonly limit: number;
}

const WHOLE: ChainPart = { limit: Number.POSITIVE_INFINITY };
const PAGE_ENTRIES = 500;

type Broken = NonNullable<AuditCheck["broken"]>;

/** How far the chain was followed, and what stopped it there. */
interface Step {
  readonly reached: ChainPoint;
  readonly broken: Broken | undefined;
}

/** The part to walk, and a point of the chain that is known from elsewhere. */
interface Walk {
  readonly state: ChainState;
  readonly part: ChainPart;
  readonly known: ChainPoint | undefined;
}

const bytesOf = ({ hash }: ChainPoint) => Buffer.from(hash, "hex");
const follows = (previous: Uint8Array, row: SealedRow) => chainHash(previous, row).equals(row.hash);

/**
 * Explains why an entry does not follow the one before, by later entries: whether one of them does, and whether it follows one of
 * them.
 */
async function explain(queries: Queries, previous: Uint8Array, row: SealedRow): Promise<AuditFault> {
  const later = await readSealedPage(queries, Number(row.sequence), PAGE_ENTRIES);
  if (!later.some((each) => follows(previous, each))) return "changed";
  return later.some(({ hash }) => follows(hash, row)) ? "reordered" : "inserted";
}

/** Follows the chain for `entries` entries, or to the first that is not as it was sealed. */
async function walkPage(queries: Queries, from: ChainPoint, entries: number): Promise<Step> {
  let reached = from;
  for (const row of await readSealedPage(queries, from.sequence, entries)) {
    const sequence = reached.sequence + 1;
    if (Number(row.sequence) !== sequence) break;
    const previous = bytesOf(reached);
    if (!follows(previous, row)) {
      return { reached, broken: { sequence, fault: await explain(queries, previous, row) } };
    }
    reached = presentPoint(row.sequence, row.hash);
  }
  if (reached.sequence === from.sequence + entries) return { reached, broken: undefined };
  return { reached, broken: { sequence: reached.sequence + 1, fault: "missing" } };
}

/** Compares a known point with the one reached under its number. */
function contradiction(known: ChainPoint | undefined, reached: ChainPoint): Broken | undefined {
  if (known?.sequence !== reached.sequence || known.hash === reached.hash) return undefined;
  return { sequence: reached.sequence, fault: "rewritten" };
}

function faultAtEnd({ state: { head, lastSequence }, part, known }: Walk): Broken | undefined {
  const next = head.sequence + 1;
  if (lastSequence > head.sequence) return { sequence: next, fault: "inserted" };
  // A point that was reached before, or is known, no longer exists.
  return [part.after, known].some((place) => place !== undefined && place.sequence > head.sequence)
    ? { sequence: next, fault: "missing" }
    : undefined;
}

/** Entries archived since the previous part are skipped. */
const startOf = ({ state: { archived }, part: { after } }: Walk) =>
  after !== undefined && after.sequence > archived.sequence ? after : archived;

/**
 * Finds faults at the start of the walk. No export has an entry before number 1. A known point before the start of the chain
 * proves nothing: whoever deletes everything can claim that all of it was archived.
 */
function faultAtStart(asked: Walk): Broken | undefined {
  const { known, part, state } = asked;
  if (state.firstSequence < 1) return { sequence: state.firstSequence, fault: "inserted" };
  if (known !== undefined && known.sequence < state.archived.sequence)
    return { sequence: known.sequence, fault: "missing" };
  return contradiction(known, startOf(asked)) ?? contradiction(part.after, state.archived);
}

async function walk(queries: Queries, asked: Walk): Promise<Step> {
  const { part, known } = asked;
  const { archived, head } = asked.state;
  const start = startOf(asked);
  const end = Math.min(head.sequence, start.sequence + part.limit);
  let step: Step = { reached: start, broken: faultAtStart(asked) };
  while (step.broken === undefined && step.reached.sequence < end) {
    const { sequence } = step.reached;
    const stop = known !== undefined && known.sequence > sequence ? known.sequence : end;
    step = await walkPage(queries, step.reached, Math.min(PAGE_ENTRIES, Math.min(stop, end) - sequence));
    step = { ...step, broken: step.broken ?? contradiction(known, step.reached) };
  }
  const { reached } = step;
  const isAtEnd = reached.sequence >= head.sequence;
  const broken = step.broken ?? (isAtEnd ? (contradiction(head, reached) ?? faultAtEnd(asked)) : undefined);
  // Someone who moves the start of the chain gets all before it deleted, and the rest still fits together.
  if (broken !== undefined || (await isArchivingTold(queries, archived))) return { reached, broken };
  return { reached: archived, broken: { sequence: archived.sequence, fault: "missing" } };
}

/**
 * Walks the chain in pages from its start to the current head, or a part of it; the parts together cover the whole. With a
 * `known` point, such as an exported or logged head, also checks that this chain went through it and still begins before it:
 * nothing else reveals a rewrite by somebody with all rights in the database. Concurrent sealing and archiving do not disturb the
 * check.
 */
export async function checkAudit(queries: Queries, known?: ChainPoint, part = WHOLE): Promise<AuditCheck> {
  const state = await readChain(queries);
  const { reached, broken } = await walk(queries, { state, part, known });
  const { archived: from, head } = state;
  if (broken !== undefined && (await readChain(queries)).archived.sequence > from.sequence) {
    return checkAudit(queries, known, part);
  }
  const intactThrough = broken?.fault === "rewritten" ? from : reached;
  const next = broken === undefined && reached.sequence < head.sequence ? reached : undefined;
  return { from, intactThrough, broken, next, unsealed: await readUnsealedTail(queries) };
}
