import type { Language, PsuId } from "@cobs/cobs-model";
import type { Database } from "@cobs/service-edge";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import type { AuditEntry } from "../audit/audit-entry.ts";
import type { WaitingNotice, WaitingNotices } from "./waiting-notices.ts";

interface NoticeRow {
  readonly id: string;
  readonly psu_id: PsuId;
  readonly kind: string;
  readonly language: Language;
  readonly text: string;
  readonly request_id: string;
  readonly occurred_at: Date;
  readonly tries: number;
}

/** What became of a notice, as the audit log names it. */
type NoticeEnding = "psu.notified" | "psu.not_notified";

const COLUMNS = "id, psu_id, kind, language, text, request_id, occurred_at, tries";

// The pause is longer than a delivery takes: 15 s, doubled each time, a quarter of an hour at most. A notice that is put off for
// longer was taken by a process whose clock is fast. Both clocks must agree on that: the database's, and the process's own,
// without which a fast process would take its own notices again at once.
const TAKE = `UPDATE psu_notice
  SET tries = tries + 1, next_try_at = $1::timestamptz + least(15 * 2 ^ least(tries, 10), 900) * interval '1 second'
  WHERE id = ANY (ARRAY(SELECT id FROM psu_notice
    WHERE next_try_at <= $1 OR next_try_at > greatest(now(), $1) + interval '1 hour'
    ORDER BY next_try_at LIMIT $2 FOR UPDATE SKIP LOCKED))
  RETURNING ${COLUMNS}`;
const END = `UPDATE psu_notice SET next_try_at = NULL WHERE id = $1 AND next_try_at IS NOT NULL RETURNING ${COLUMNS}`;

/** Opens the notices that `createSignInNotices` stores. */
export function createWaitingNotices(database: Database): WaitingNotices {
  return {
    async take(now, most) {
      const statement = { name: "notice-take", text: TAKE, values: [now, most] };
      return (await database.run<NoticeRow>(statement)).map(readNotice);
    },
    end: (notice) => endAs("psu.notified", notice, database),
    giveUp: (notice) => endAs("psu.not_notified", notice, database),
  };
}

/** True when this call ended the notice and recorded it. */
function endAs(action: NoticeEnding, { id }: WaitingNotice, database: Database): Promise<boolean> {
  return database.transaction(async (queries) => {
    const [row] = await queries.run<NoticeRow>({ name: "notice-end", text: END, values: [id] });
    if (row === undefined) return false;
    // Giving up takes the notice as a try does, but makes none.
    const tries = action === "psu.notified" ? row.tries : row.tries - 1;
    await appendAudit(queries, [entryOf(action, { ...readNotice(row), tries })]);
    return true;
  });
}

function entryOf(action: NoticeEnding, { id, psu, kind, requestId, tries }: WaitingNotice): AuditEntry {
  return {
    act: { actor: { kind: "server", part: "notices" }, requestId },
    action,
    subject: { kind: "psu", id: psu },
    details: { notice: id, change: kind, tries },
  };
}

function readNotice(row: NoticeRow): WaitingNotice {
  return {
    id: row.id,
    psu: row.psu_id,
    kind: row.kind,
    language: row.language,
    text: row.text,
    requestId: row.request_id,
    occurredAt: row.occurred_at,
    tries: row.tries,
  };
}
