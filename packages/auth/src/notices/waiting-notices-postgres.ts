import type { Language, PsuId } from "@cobs/cobs-model";
import type { Database, Statement } from "@cobs/service-edge";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import type { AuditEntry } from "../audit/audit-entry.ts";
import { NOTICE_LIFETIME_MILLISECONDS, type WaitingNotice, type WaitingNotices } from "./waiting-notices.ts";

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

/** What has become of a notice, as the audit log names it. */
type NoticeEnding = "psu.notified" | "psu.not_notified";

const COLUMNS = "id, psu_id, kind, language, text, request_id, occurred_at, tries";
const HOUR_MILLISECONDS = 3_600_000;

// The pause is longer than a delivery takes: 15 s, twice as long each time, a quarter of an hour at most.
const TAKE = `UPDATE psu_notice
  SET tries = tries + 1, next_try_at = $1::timestamptz + least(15 * 2 ^ least(tries, 10), 900) * interval '1 second'
  WHERE id IN (SELECT id FROM psu_notice WHERE next_try_at <= $1
    ORDER BY next_try_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  RETURNING ${COLUMNS}`;
const END = `UPDATE psu_notice SET next_try_at = NULL WHERE id = $1 AND next_try_at IS NOT NULL RETURNING ${COLUMNS}`;
const GIVE_UP = `UPDATE psu_notice SET next_try_at = NULL
  WHERE id IN (SELECT id FROM psu_notice WHERE next_try_at IS NOT NULL AND occurred_at <= $1
    ORDER BY next_try_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  RETURNING ${COLUMNS}`;
const FORGET = `DELETE FROM psu_notice
  WHERE id IN (SELECT id FROM psu_notice WHERE next_try_at IS NULL AND occurred_at <= $1
    ORDER BY occurred_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;

/** Opens what `createSignInNotices` keeps. */
export function createWaitingNotices(database: Database): WaitingNotices {
  return {
    async take(now, most) {
      const statement = { name: "notice-take", text: TAKE, values: [now, most] };
      return (await database.run<NoticeRow>(statement)).map(readNotice);
    },
    async end({ id }) {
      await endIn(database, "psu.notified", { name: "notice-end", text: END, values: [id] });
    },
    giveUp(now, most) {
      const values = [new Date(now.getTime() - NOTICE_LIFETIME_MILLISECONDS), most];
      return endIn(database, "psu.not_notified", { name: "notice-give-up", text: GIVE_UP, values });
    },
    async forget(now, most) {
      const values = [new Date(now.getTime() - HOUR_MILLISECONDS), most];
      await database.run({ name: "notice-forget", text: FORGET, values });
    },
  };
}

/** Ends what a statement ends, with an entry for each. */
function endIn(
  database: Database,
  action: NoticeEnding,
  statement: Statement,
): Promise<readonly WaitingNotice[]> {
  return database.transaction(async (queries) => {
    const ended = (await queries.run<NoticeRow>(statement)).map(readNotice);
    await appendAudit(
      queries,
      ended.map((notice) => entryOf(action, notice)),
    );
    return ended;
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
