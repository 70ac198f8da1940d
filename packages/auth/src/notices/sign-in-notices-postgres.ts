import { randomUUID } from "node:crypto";
import { CHANGES_PER_HOUR, type SignInNotices, type WriteNotice } from "./sign-in-change.ts";

const HOUR_MILLISECONDS = 3_600_000;

// Taken after every other lock of a change, to avoid deadlocks.
const TAKE_TURN = "SELECT pg_advisory_xact_lock(hashtextextended('notices ' || $1::text, 0))";
const COUNT = "SELECT count(*)::int AS told FROM psu_notice WHERE psu_id = $1 AND occurred_at > $2";
const ADD = `INSERT INTO psu_notice (id, psu_id, kind, language, text, request_id, occurred_at, next_try_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`;

/** Keeps notices in PostgreSQL, each with its text, so that every try sends the same text. */
export function createSignInNotices(writeNotice: WriteNotice): SignInNotices {
  return {
    async admits(queries, psu, now) {
      await queries.run({ name: "notice-take-turn", text: TAKE_TURN, values: [psu] });
      const values = [psu, new Date(now.getTime() - HOUR_MILLISECONDS)];
      const [row] = await queries.run<{ told: number }>({ name: "notice-count", text: COUNT, values });
      return row !== undefined && row.told < CHANGES_PER_HOUR;
    },
    async tell(queries, made) {
      const { psu, change, at, language, requestId } = made;
      const values = [randomUUID(), psu, change.kind, language, writeNotice(made), requestId, at];
      await queries.run({ name: "notice-add", text: ADD, values });
    },
  };
}
