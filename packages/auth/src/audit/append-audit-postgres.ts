import type { Queries } from "@cobs/service-edge";
import { canonicalize } from "json-canonicalize";
import type { Actor } from "./act.ts";
import { type AuditDetails, type AuditEntry, MAX_DETAIL_ITEMS, MAX_DETAIL_LENGTH } from "./audit-entry.ts";

const COLUMNS = "actor_kind, actor, certificate, request_id, action, subject_kind, subject, details";

/**
 * Builds the part of a statement that appends audit entries if a condition on the statement's own effect holds. The statement's
 * first `after` parameters precede their {@link auditValues}.
 */
export function appendAuditWhere(condition: string, after: number): string {
  const lists = COLUMNS.split(",").map((_, index) => `$${after + index + 1}::text[]`);
  return `INSERT INTO audit_entry (${COLUMNS}) SELECT ${COLUMNS}
    FROM unnest(${lists.join()}) WITH ORDINALITY AS entry (${COLUMNS}, nth) WHERE ${condition} ORDER BY nth`;
}

const APPEND = appendAuditWhere("true", 0);

// PostgreSQL refuses NUL. Half a surrogate pair, also one that the cut leaves, becomes U+FFFD in UTF-8.
const cut = (text: string) =>
  Buffer.from(text.slice(0, MAX_DETAIL_LENGTH).replaceAll("\0", "\ufffd")).toString();

function cutDetail(value: AuditDetails[string]): AuditDetails[string] {
  if (typeof value === "string") return cut(value);
  return typeof value === "object" && value !== null ? value.slice(0, MAX_DETAIL_ITEMS).map(cut) : value;
}

function presentDetails(details: AuditDetails): string {
  return canonicalize(
    Object.fromEntries(Object.entries(details).map(([name, value]) => [name, cutDetail(value)])),
  );
}

/** Name of the actor, as entries have it and searches ask for it. */
function nameOfActor(actor: Actor): string {
  switch (actor.kind) {
    case "tpp":
      return actor.organisationIdentifier;
    case "operator":
      return actor.name;
    case "psu":
      return actor.psu;
    case "server":
      return actor.part;
  }
}

/** Entries per statement, which stays far below the time limit of a statement. */
const STATEMENT_ENTRIES = 1_000;

const certificateOf = (actor: Actor) => ("certificate" in actor ? (actor.certificate ?? null) : null);

/**
 * Appends entries in the transaction of the change that they record, before `appendEvents`. Uses one statement unless there are
 * very many; these are built batch by batch, so that the process can serve others in between. It takes no lock that others wait
 * for. When it fails, the change must fail too.
 */
export async function appendAudit(queries: Queries, entries: Iterable<AuditEntry>): Promise<void> {
  for (const some of inStatements(entries))
    await queries.run({ name: "audit-append", text: APPEND, values: auditValues(some) });
}

function* inStatements(entries: Iterable<AuditEntry>): Generator<readonly AuditEntry[]> {
  let some: AuditEntry[] = [];
  for (const entry of entries) {
    some.push(entry);
    if (some.length < STATEMENT_ENTRIES) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

/** Builds the parameter values that append these entries. */
export function auditValues(entries: readonly AuditEntry[]): readonly unknown[] {
  return [
    entries.map(({ act }) => act.actor.kind),
    entries.map(({ act }) => cut(nameOfActor(act.actor))),
    entries.map(({ act }) => certificateOf(act.actor)),
    entries.map(({ act }) => act.requestId ?? null),
    entries.map(({ action }) => action),
    entries.map(({ subject }) => subject.kind),
    entries.map(({ subject }) => cut(subject.id)),
    entries.map(({ act: { note }, details = {} }) =>
      presentDetails(note === undefined ? details : { ...details, note }),
    ),
  ];
}
