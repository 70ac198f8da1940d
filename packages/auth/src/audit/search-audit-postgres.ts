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

type Condition = readonly [text: string, value: unknown];

/** Writes a time column as an index has it. */
type TimeOf = (column: string) => string;

const asItIs: TimeOf = (column) => column;
/**
 * Orders differently from the index over all entries, so that a search for a request never uses that one: the request's entries
 * may lie behind very many others.
 */
const inRequest: TimeOf = (column) => `(${column} AT TIME ZONE 'UTC')`;

const OF_REQUEST = "request_id = $";

/** Criteria that many entries may meet, each with an index in the order of time. */
const criteriaOf = ({ actor, subject, action, requestId }: AuditSearch): readonly Condition[] =>
  given([
    ["actor = $", actor],
    ["subject = $", subject],
    ["action = $", action],
    [OF_REQUEST, requestId],
  ]);

/** Conditions that limit the time. */
function boundsOf({ from, until, after }: AuditSearch, time: TimeOf): readonly Condition[] {
  const [at, asked] = [time("recorded_at"), time("$::timestamptz")];
  return given([
    [`${at} >= ${asked}`, from],
    [`${at} < ${asked}`, until],
    [`(${at}, id) < (${asked}, $::int8)`, placeOf(after)],
  ]);
}

const newestFirst = (time: TimeOf) => `ORDER BY ${time("audit_entry.recorded_at")} DESC, id DESC`;

const placeOf = (cursor: AuditCursor | undefined) => CURSOR.exec(cursor ?? "")?.slice(1);

/** Drops the conditions that were not asked for. */
function given(conditions: readonly Condition[]): readonly Condition[] {
  return conditions.filter(([, value]) => value !== undefined && value !== "");
}

/** Builds the WHERE clause that joins the conditions, and adds their values to those of the statement. */
function whereAll(conditions: readonly Condition[], values: unknown[]): string {
  const texts = conditions.map(([text, value]) => {
    const each = Array.isArray(value) ? [...value] : [value];
    return text.replaceAll("$", () => `$${values.push(each.shift())}`);
  });
  return texts.length === 0 ? "" : `WHERE ${texts.join(" AND ")}`;
}

/** Builds the statement of a search, for at most `limit` rows and none before `floor`. */
export function auditSearchStatement(search: AuditSearch, limit: number, floor?: AuditCursor): Statement {
  const time = search.requestId ? inRequest : asItIs;
  const since = given([
    [`(${time("recorded_at")}, id) >= (${time("$::timestamptz")}, $::int8)`, placeOf(floor)],
  ]);
  const values: unknown[] = [];
  const where = whereAll([...criteriaOf(search), ...boundsOf(search, time), ...since], values);
  const text = `SELECT ${AUDIT_COLUMNS}, sequence FROM audit_entry ${where}
    ${newestFirst(time)} LIMIT ${limit}`;
  // Unnamed, because each search is another statement, and should be planned for its values.
  return { name: "", text, values };
}

/**
 * Builds the statement that finds, for each criterion met by more than `lookedThrough` entries, the last entry of that number.
 * Whatever index the search then uses, it reads no more than these entries down to the oldest of those found, and all entries of
 * a criterion that fewer meet.
 */
function auditFloorsStatement(search: AuditSearch, lookedThrough: number): Statement {
  const values: unknown[] = [];
  const floors = criteriaOf(search).map((criterion) => {
    const time = criterion[0] === OF_REQUEST ? inRequest : asItIs;
    return `(SELECT id, recorded_at FROM audit_entry ${whereAll([criterion, ...boundsOf(search, time)], values)}
      ${newestFirst(time)} OFFSET ${lookedThrough - 1} LIMIT 1)`;
  });
  const text = `SELECT id, ${RECORDED_AT} FROM (${floors.join(" UNION ALL ")}) AS audit_entry
    ORDER BY audit_entry.recorded_at, id`;
  return { name: "", text, values };
}

/** Finds how far back to search; undefined when few entries meet some criterion, or when there is only one. */
async function findFloor(queries: Queries, search: AuditSearch, lookedThrough: number) {
  const criteria = criteriaOf(search).length;
  if (criteria < 2) return undefined;
  const floors = await queries.run<CursorRow>(auditFloorsStatement(search, lookedThrough));
  const [oldest] = floors;
  return floors.length === criteria && oldest !== undefined ? cursorOf(oldest) : undefined;
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
  const floor = await findFloor(queries, search, lookedThrough);
  const rows = await queries.run<FoundRow>(auditSearchStatement(search, limit + 1, floor));
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next = rows.length > limit && last !== undefined ? cursorOf(last) : floor;
  return { entries: page.map(readFound), next };
}
