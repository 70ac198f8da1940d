import type { Queries, Statement } from "@cobs/service-edge";
import type { AuditDetails, AuditSubject } from "./audit-entry.ts";
import { AUDIT_COLUMNS, type AuditRow, RECORDED_AT } from "./audit-row.ts";

/** Most entries in one answer. */
export const MAX_FOUND_ENTRIES = 500;

/** Names the last entry of an answer by its time to the microsecond and its id; opaque to callers. */
export type AuditCursor = string & { readonly brand: "AuditCursor" };

/** Search for entries that meet all given criteria. */
export interface AuditSearch {
  /** Organisation identifier of a TPP, name of an operator, id of a PSU, or part of the server. */
  readonly actor?: string | undefined;
  /** Id of the subject, of any kind. */
  readonly subject?: string | undefined;
  readonly action?: string | undefined;
  readonly requestId?: string | undefined;
  /** Earliest time, inclusive. */
  readonly from?: Date | undefined;
  /** Latest time, exclusive. */
  readonly until?: Date | undefined;
  /** Continues after the last entry of the previous answer. */
  readonly after?: AuditCursor | undefined;
  /** Most entries to return; capped at {@link MAX_FOUND_ENTRIES}. */
  readonly limit: number;
}

/** An entry that was found. */
export interface FoundEntry {
  readonly id: number;
  /** UTC, to the microsecond (RFC 3339). */
  readonly recordedAt: string;
  readonly actor: { readonly kind: string; readonly name: string; readonly certificate: string | null };
  readonly requestId: string | null;
  readonly action: string;
  readonly subject: { readonly kind: AuditSubject["kind"]; readonly id: string };
  readonly details: AuditDetails;
  /** Undefined until the entry is sealed. */
  readonly sequence: number | undefined;
}

/**
 * Entries, newest first, and the cursor for more; `next` is undefined at the end. An answer may have fewer entries than asked
 * for, or none, and still a `next`: it tells how far back the search went.
 */
export interface FoundEntries {
  readonly entries: readonly FoundEntry[];
  readonly next: AuditCursor | undefined;
}

type FoundRow = AuditRow & { readonly subject_kind: AuditSubject["kind"]; readonly sequence: bigint | null };

// PostgreSQL has no year 0.
const CURSOR = /^((?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)\.(\d{1,18})$/;

/** Tells whether this day and hour exist; the database would fail on others. */
function isTime(milliseconds: string): boolean {
  const date = new Date(`${milliseconds}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString() === `${milliseconds}Z`;
}

/** Parses a cursor from a request; undefined when malformed. */
export function parseAuditCursor(text: unknown): AuditCursor | undefined {
  if (typeof text !== "string" || !CURSOR.test(text)) return undefined;
  return isTime(text.slice(0, "2000-01-01T00:00:00.000".length)) ? (text as AuditCursor) : undefined;
}

type CursorRow = Pick<AuditRow, "id" | "recorded_at">;

function cursorOf({ recorded_at: at, id }: CursorRow): AuditCursor | undefined {
  return parseAuditCursor(`${at}.${id}`);
}

/**
 * Most entries meeting one criterion that are searched for the others: each of two criteria may match millions, and both together
 * none.
 */
const LOOKED_THROUGH = 50_000;

/**
 * A criterion that many entries may meet, which has an index in the order of time. PostgreSQL must not go by the index of all
 * entries instead, in which those that meet the criterion may lie behind very many others: so the order asked for is not the
 * order of that one.
 */
interface Criterion {
  readonly column: string;
  readonly value: string;
  /** Whether the column is the first of the order; otherwise the time is written in another way. */
  readonly leads: boolean;
}

function criteriaOf({ actor, subject, action, requestId }: AuditSearch): readonly Criterion[] {
  const asked = [
    { column: "actor", value: actor, leads: true },
    { column: "subject", value: subject, leads: true },
    { column: "action", value: action, leads: true },
    { column: "request_id", value: requestId, leads: false },
  ];
  return asked.flatMap(({ value, ...rest }) => (value ? [{ ...rest, value }] : []));
}

/** Time and id of an entry, or of none. */
type Edge = readonly [time: string, id: string];

const FIRST_ID = "0";

/** The entries to search: `from` inclusive, `until` exclusive. */
interface Range {
  readonly from: Edge;
  readonly until: Edge;
}

function edgeOf(cursor: AuditCursor): Edge {
  const [, time = "", id = ""] = CURSOR.exec(cursor) ?? [];
  return [time, id];
}

function edgeAt(time: Date | undefined, otherwise: "infinity" | "-infinity"): Edge {
  if (time === undefined) return [otherwise, FIRST_ID];
  // PostgreSQL has no year 0.
  return [time.getUTCFullYear() > 0 ? time.toISOString().replace("Z", "000Z") : "-infinity", FIRST_ID];
}

function rangeOf({ from, until, after }: AuditSearch): Range {
  const end = edgeAt(until, "infinity");
  const last = after && edgeOf(after);
  return { from: edgeAt(from, "-infinity"), until: last !== undefined && last[0] < end[0] ? last : end };
}

type TimeOf = (time: string) => string;

const asItIs: TimeOf = (time) => time;
const inRequest: TimeOf = (time) => `(${time} AT TIME ZONE 'UTC')`;

/** Builds the conditions for the entries in a range that meet a criterion, and their order; both ends are in that order. */
function inOrder(criterion: Criterion | undefined, { from, until }: Range, values: unknown[]) {
  const value = criterion && `$${values.push(criterion.value)}`;
  const timeOf = criterion?.leads === false ? inRequest : asItIs;
  const keyOf = (first: string | undefined, time: string, id: string) =>
    [...(criterion?.leads ? [first] : []), timeOf(time), id] as const;
  const edge = ([time, id]: Edge) =>
    keyOf(value, `$${values.push(time)}::timestamptz`, `$${values.push(id)}::int8`).join();
  const key = keyOf(criterion?.column, "audit_entry.recorded_at", "id");
  const range = `(${key.join()}) >= (${edge(from)}) AND (${key.join()}) < (${edge(until)})`;
  return {
    where: criterion?.leads === false ? `${criterion.column} = ${value} AND ${range}` : range,
    order: key.map((each) => `${each} DESC`).join(),
  };
}

/** The criterion by whose index a search goes, and the range that it covers. */
interface Way {
  readonly criterion: Criterion | undefined;
  readonly range: Range;
}

/** Builds the statement of a search, for at most `limit` rows; by default it goes by its only criterion, or by none. */
export function auditSearchStatement(search: AuditSearch, limit: number, way?: Way): Statement {
  const criteria = criteriaOf(search);
  const { criterion, range } = way ?? { criterion: criteria[0], range: rangeOf(search) };
  const values: unknown[] = [];
  const { where, order } = inOrder(criterion, range, values);
  const others = criteria.filter(({ column }) => column !== criterion?.column);
  const conditions = [where, ...others.map(({ column, value }) => `${column} = $${values.push(value)}`)];
  const text = `SELECT ${AUDIT_COLUMNS}, sequence FROM audit_entry WHERE ${conditions.join(" AND ")}
    ORDER BY ${order} LIMIT ${limit}`;
  // Unnamed, because each search is another statement, and should be planned for its values.
  return { name: "", text, values };
}

type Floor = CursorRow & { readonly nth: number };

/** Builds the statement that finds, for each criterion met by more than `lookedThrough` entries, the last entry of that number. */
function auditFloorsStatement(search: AuditSearch, lookedThrough: number): Statement {
  const values: unknown[] = [];
  const floors = criteriaOf(search).map((criterion, nth) => {
    const { where, order } = inOrder(criterion, rangeOf(search), values);
    return `(SELECT ${nth} AS nth, id, recorded_at FROM audit_entry WHERE ${where}
      ORDER BY ${order} OFFSET ${lookedThrough - 1} LIMIT 1)`;
  });
  const text = `SELECT nth, id, ${RECORDED_AT} FROM (${floors.join(" UNION ALL ")}) AS audit_entry
    ORDER BY audit_entry.recorded_at, id`;
  return { name: "", text, values };
}

/**
 * Finds the criterion by which a search of several goes, and its floor: one that few entries meet, which has none, or else the one
 * whose entries reach back furthest.
 */
async function findFloor(queries: Queries, search: AuditSearch, lookedThrough: number) {
  const criteria = criteriaOf(search);
  if (criteria.length < 2) return undefined;
  const floors = await queries.run<Floor>(auditFloorsStatement(search, lookedThrough));
  const few = criteria.find((_, index) => floors.every(({ nth }) => nth !== index));
  const [oldest] = floors;
  if (few !== undefined || oldest === undefined) return { criterion: few, floor: undefined };
  return { criterion: criteria[oldest.nth], floor: cursorOf(oldest) };
}

function readFound(row: FoundRow): FoundEntry {
  return {
    id: Number(row.id),
    recordedAt: row.recorded_at,
    actor: { kind: row.actor_kind, name: row.actor, certificate: row.certificate },
    requestId: row.request_id,
    action: row.action,
    subject: { kind: row.subject_kind, id: row.subject },
    details: JSON.parse(row.details),
    sequence: row.sequence === null ? undefined : Number(row.sequence),
  };
}

/** Finds entries, sealed or not, newest first by the time of writing. */
export async function searchAudit(
  queries: Queries,
  search: AuditSearch,
  lookedThrough = LOOKED_THROUGH,
): Promise<FoundEntries> {
  const limit = Math.min(search.limit, MAX_FOUND_ENTRIES);
  const { criterion, floor } = (await findFloor(queries, search, lookedThrough)) ?? {};
  const range = rangeOf(search);
  const way = criterion && {
    criterion,
    range: floor === undefined ? range : { ...range, from: edgeOf(floor) },
  };
  const rows = await queries.run<FoundRow>(auditSearchStatement(search, limit + 1, way));
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next = rows.length > limit && last !== undefined ? cursorOf(last) : floor;
  return { entries: page.map(readFound), next };
}
