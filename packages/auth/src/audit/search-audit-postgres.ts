import type { Queries, Statement } from "@cobs/service-edge";
import type { AuditDetails, AuditSubject } from "./audit-entry.ts";
import { AUDIT_COLUMNS, type AuditRow } from "./audit-row.ts";

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

/** Entries, newest first, and what to ask for more with; `next` is undefined when there are none. */
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

function cursorOf({ recorded_at: at, id }: AuditRow): AuditCursor | undefined {
  return parseAuditCursor(`${at}.${id}`);
}

/** Each condition, and its values; what is not asked for is no part of the statement. */
function conditionsOf(search: AuditSearch): readonly (readonly [string, unknown])[] {
  const [, time, id] = CURSOR.exec(search.after ?? "") ?? [];
  return [
    ["actor = $", search.actor],
    ["subject = $", search.subject],
    ["action = $", search.action],
    ["request_id = $", search.requestId],
    ["recorded_at >= $", search.from],
    ["recorded_at < $", search.until],
    ["(recorded_at, id) < ($::timestamptz, $::int8)", time && [time, id]],
  ];
}

/** The statement of a question, for at most so many rows. */
export function auditSearchStatement(search: AuditSearch, limit: number): Statement {
  const values: unknown[] = [];
  const conditions = conditionsOf(search).flatMap(([condition, value]) => {
    if (value === undefined || value === "") return [];
    const given = Array.isArray(value) ? [...value] : [value];
    return [condition.replaceAll("$", () => `$${values.push(given.shift())}`)];
  });
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const text = `SELECT ${AUDIT_COLUMNS}, sequence FROM audit_entry ${where}
    ORDER BY audit_entry.recorded_at DESC, id DESC LIMIT ${limit}`;
  // Without a name: there are as many statements as questions, and plans are made for their values.
  return { name: "", text, values };
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
export async function searchAudit(queries: Queries, search: AuditSearch): Promise<FoundEntries> {
  const limit = Math.min(search.limit, MAX_FOUND_ENTRIES);
  const rows = await queries.run<FoundRow>(auditSearchStatement(search, limit + 1));
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next = rows.length > limit && last !== undefined ? cursorOf(last) : undefined;
  return { entries: page.map(readFound), next };
}
