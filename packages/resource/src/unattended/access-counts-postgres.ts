import type { Queries } from "@cobs/service-edge";
import type { AccessCounts, AccessSubject, ExhaustedAccesses, RunningAccess } from "./access-counts.ts";

interface StandingRow {
  /** Null where no access runs. */
  readonly runs_for: number | null;
  /** Null where one may begin. */
  readonly continues_at: Date | null;
  readonly continues_in: number | null;
}

/** Hours, never days: those of PostgreSQL may have 23 or 25. */
const ACCESS = "interval '15 minutes'";
const PERIOD = "interval '24 hours'";
/** In whole milliseconds, as it is told. */
const MOMENT = "date_trunc('milliseconds', now())";

/**
 * Of a row. One that seems to begin later than now does run: its statement has waited for a lock less than ours, or the clock
 * was set back, and then an access shall not last until it has caught up.
 */
const runs = (row: string) =>
  `${row}.last_began_at > now() - ${ACCESS} AND ${row}.last_began_at < now() + ${ACCESS}`;

/** Of a beginning. One that seems to be further ahead is of a clock that was, and shall not count until it has caught up. */
const COUNTS = `began > now() - ${PERIOD} AND began < now() + ${PERIOD}`;

/** Of a row: when the oldest of those that use up the limit stops counting; null where one may begin. */
const continuesAt = (row: string) => `(SELECT began + ${PERIOD} FROM unnest(${row}.began_at) AS began
  WHERE ${COUNTS} ORDER BY began DESC OFFSET $4::integer - 1 LIMIT 1)`;

const begins = `NOT (${runs("kept")}) AND ${continuesAt("kept")} IS NULL`;

const standing = (row: string) => `
  CASE WHEN ${runs(row)} THEN ${milliseconds(`${row}.last_began_at + ${ACCESS} - now()`)} END AS runs_for,
  ${continuesAt(row)} AS continues_at,
  ${milliseconds(`${continuesAt(row)} - now()`)} AS continues_in`;

const LOOK = {
  name: "unattended-access-look",
  text: `SELECT ${standing("kept")} FROM unattended_access AS kept
    WHERE consent_id = $1 AND account_id = $2 AND resource = $3`,
};

/** The row is locked before it is judged, so that of any number of callers each sees what those before it did. */
const COUNT = {
  name: "unattended-access-count",
  text: `INSERT INTO unattended_access AS kept (consent_id, account_id, resource, began_at, last_began_at)
    VALUES ($1, $2, $3, ARRAY[${MOMENT}], ${MOMENT})
    ON CONFLICT (consent_id, account_id, resource) DO UPDATE SET
      began_at = CASE WHEN ${begins} THEN ARRAY(SELECT began FROM unnest(kept.began_at) AS began
        WHERE ${COUNTS} ORDER BY began) || excluded.began_at ELSE kept.began_at END,
      last_began_at = CASE WHEN ${begins} THEN excluded.last_began_at ELSE kept.last_began_at END
    RETURNING ${standing("kept")}`,
};

/** A row that another caller is counting in is not old any more, and left alone. */
const FORGET = {
  name: "unattended-access-forget",
  text: `DELETE FROM unattended_access WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM unattended_access
      WHERE last_began_at <= now() - ${PERIOD} ORDER BY last_began_at LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING 1`,
};

/** Counts in the table `unattended_access`, by the database's clock; each act is one statement. */
export function countAccessesIn(database: Queries): AccessCounts {
  const ask = async (statement: typeof LOOK, subject: AccessSubject, limit: number) => {
    const values = [subject.consentId, subject.account, subject.resource, limit];
    const [row] = await database.run<StandingRow>({ ...statement, values });
    return row && standingOf(row);
  };
  return {
    look: async (subject, limit) => (await ask(LOOK, subject, limit)) ?? { kind: "open" },
    count: async (subject, limit) => {
      const counted = await ask(COUNT, subject, limit);
      if (counted === undefined) throw new TypeError("an access that was counted runs or is refused");
      return counted;
    },
    forgetOld: async (batch) => (await database.run({ ...FORGET, values: [batch] })).length,
  };
}

function standingOf({
  runs_for,
  continues_at,
  continues_in,
}: StandingRow): RunningAccess | ExhaustedAccesses | undefined {
  if (runs_for !== null) return { kind: "running", remainingMilliseconds: runs_for };
  if (continues_at === null || continues_in === null) return undefined;
  return { kind: "exhausted", continuesAt: continues_at, remainingMilliseconds: continues_in };
}

function milliseconds(interval: string): string {
  return `(extract(epoch FROM ${interval}) * 1000)::float8`;
}
