import type { Queries } from "@cobs/service-edge";
import type { AccessCounts, AccessSubject, ExhaustedAccesses, RunningAccess } from "./access-counts.ts";

interface StandingRow {
  /** Milliseconds for which the running access still lasts; null when none runs. */
  readonly runs_for: number | null;
  /** When the next access may begin; null when it may begin now. */
  readonly continues_at: Date | null;
  readonly continues_in: number | null;
}

/** Hours instead of days, because a day of PostgreSQL may have 23 or 25 hours. */
const ACCESS = "interval '15 minutes'";
const PERIOD = "interval '24 hours'";
/** The current time in whole milliseconds, as it is reported. */
const MOMENT = "date_trunc('milliseconds', now())";

/**
 * Whether the access of a row runs. A beginning that seems to lie ahead of now counts as running if it is less than an access
 * ahead: its statement waited less long for a lock than ours. If it is further ahead, the clock was set back, and the access
 * must not last until the clock has caught up.
 */
const runs = (row: string) =>
  `${row}.last_began_at > now() - ${ACCESS} AND ${row}.last_began_at < now() + ${ACCESS}`;

/**
 * Whether a beginning still counts. One that lies more than the period ahead comes from a clock that was ahead, and must not
 * count until the clock has caught up.
 */
const COUNTS = `began > now() - ${PERIOD} AND began < now() + ${PERIOD}`;

/** When the oldest of the accesses that use up the limit of a row stops counting; null when another access may begin. */
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

/** The row is locked before it is judged, so that each of any number of callers sees what those before it did. */
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

/** A row in which another caller is counting is no longer old, and is skipped. */
const FORGET = {
  name: "unattended-access-forget",
  text: `DELETE FROM unattended_access WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM unattended_access
      WHERE last_began_at <= now() - ${PERIOD} ORDER BY last_began_at LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING 1`,
};

/** Counts accesses in the table `unattended_access`, by the database's clock; each act is one statement. */
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
