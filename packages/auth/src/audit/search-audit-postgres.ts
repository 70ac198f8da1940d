import type { Queries, Statement } from "@cobs/service-edge";
import type { AuditDetails, AuditSubject } from "./audit-entry.ts";
import { AUDIT_COLUMNS, type AuditRow, RECORDED_AT } from "./audit-row.ts";

/** Most entries that one answer has. */
export const MAX_FOUND_ENTRIES = 500;

/** Names the last entry of an answer: its time to the microsecond and its id. Opaque to whoever asks for the next one. */
export type AuditCursor = string & { readonly brand: "AuditCursor" };

/** Which entries; those for which everything given holds. */
export interface AuditSearch {
  /** An organisation identifier, the name of an operator, a PSU, or a part of the server. */
  readonly actor?: string | undefined;
  /** The id of what something was done to, of any kind. */
  readonly subject?: string | undefined;
  readonly action?: string | undefined;
  readonly requestId?: string | undefined;
  /** From this moment on. */
  readonly from?: Date | undefined;
  /** Before this moment. */
  readonly until?: Date | undefined;
  /** After the last entry of the answer before. */
  readonly after?: AuditCursor | undefined;
  /** At most so many, and {@link MAX_FOUND_ENTRIES}. */
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
  /** Undefined until it is sealed. */
  readonly sequence: number | undefined;
}

/**
 * Entries, newest first, and what to ask for more with; `next` is undefined when there are none. An answer may have fewer
 * than asked for, or none, and a `next`: so far back it has searched.
 */
export interface FoundEntries {
  readonly entries: readonly FoundEntry[];
  readonly next: AuditCursor | undefined;
}

type FoundRow = AuditRow & { readonly subject_kind: AuditSubject["kind"]; readonly sequence: bigint | null };

// No year 0, which PostgreSQL does not know.
const CURSOR = /^((?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)\.(\d{1,18})$/;

/** Whether there is such a day and hour; the database would take the question for an error. */
function isTime(milliseconds: string): boolean {
  const date = new Date(`${milliseconds}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString() === `${milliseconds}Z`;
}

/** Takes a cursor from outside; undefined when it is none. */
export function parseAuditCursor(text: unknown): AuditCursor | undefined {
  if (typeof text !== "string" || !CURSOR.test(text)) return undefined;
  return isTime(text.slice(0, "2000-01-01T00:00:00.000".length)) ? (text as AuditCursor) : undefined;
}

type Place = Pick<AuditRow, "id" | "recorded_at">;

function cursorOf({ recorded_at: at, id }: Place): AuditCursor | undefined {
  return parseAuditCursor(`${at}.${id}`);
}

/** So many entries that meet one criterion are looked through for the others; of two that never meet there may be millions. */
const LOOKED_THROUGH = 50_000;

type Condition = readonly [text: string, value: unknown];

/** A time as an index has it. */
type TimeOf = (column: string) => string;

const asItIs: TimeOf = (column) => column;
/** Another order than that of all entries, by which a request is never looked for: its own may lie behind very many others. */
const inRequest: TimeOf = (column) => `(${column} AT TIME ZONE 'UTC')`;

const OF_REQUEST = "request_id = $";

/** Those that many entries meet, each with an index in the order of time. */
const criteriaOf = ({ actor, subject, action, requestId }: AuditSearch): readonly Condition[] =>
  given([
    ["actor = $", actor],
    ["subject = $", subject],
    ["action = $", action],
    [OF_REQUEST, requestId],
  ]);

/** What bounds the time. */
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

/** What is not asked for is no part of the statement. */
function given(conditions: readonly Condition[]): readonly Condition[] {
  return conditions.filter(([, value]) => value !== undefined && value !== "");
}

/** The conditions for which everything given holds, with their values behind those that a statement has already. */
function whereAll(conditions: readonly Condition[], values: unknown[]): string {
  const texts = conditions.map(([text, value]) => {
    const each = Array.isArray(value) ? [...value] : [value];
    return text.replaceAll("$", () => `$${values.push(each.shift())}`);
  });
  return texts.length === 0 ? "" : `WHERE ${texts.join(" AND ")}`;
}

/** The statement of a question, for at most so many rows, and none before `floor`. */
export function auditSearchStatement(search: AuditSearch, limit: number, floor?: AuditCursor): Statement {
  const time = search.requestId ? inRequest : asItIs;
  const since = given([
    [`(${time("recorded_at")}, id) >= (${time("$::timestamptz")}, $::int8)`, placeOf(floor)],
  ]);
  const values: unknown[] = [];
  const where = whereAll([...criteriaOf(search), ...boundsOf(search, time), ...since], values);
  const text = `SELECT ${AUDIT_COLUMNS}, sequence FROM audit_entry ${where}
    ${newestFirst(time)} LIMIT ${limit}`;
  // Without a name: there are as many statements as questions, and plans are made for their values.
  return { name: "", text, values };
}

/**
 * The statement that gives, for each criterion that more than so many entries meet, the last of so many. Whatever index the
 * search then goes by, it reads no more than these down to the oldest; and all of a criterion that fewer meet.
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

/** How far back to search: undefined when there is a criterion that few entries meet, or one alone. */
async function findFloor(queries: Queries, search: AuditSearch, lookedThrough: number) {
  const criteria = criteriaOf(search).length;
  if (criteria < 2) return undefined;
  const floors = await queries.run<Place>(auditFloorsStatement(search, lookedThrough));
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

/** Finds entries, sealed or not, newest first by the time at which they were written. */
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
