import type { Database, Queries } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import { endConsentsWhere } from "./end-consents-where-postgres.ts";
import { tellEnded } from "./end-payments-postgres.ts";
import { type EndedConsent, recordExpired } from "./record-consents.ts";

/** Most consents that end in one transaction. */
export const EXPIRY_BATCH_CONSENTS = 200;

// The transaction's end releases the lock. A process that does not get it leaves the work to the one that has it.
const TAKE_TURN = "SELECT pg_try_advisory_xact_lock(hashtextextended('consent expiry', 0)) AS taken";

// Skips a consent that another transaction is ending at the moment; its reason stands.
const EXPIRE = endConsentsWhere({
  due: `SELECT id FROM consent WHERE ended_at IS NULL AND valid_until <= now()
    ORDER BY valid_until LIMIT ${EXPIRY_BATCH_CONSENTS} FOR UPDATE SKIP LOCKED`,
  set: "ended_at = valid_until, ended_by = 'server', end_reason = 'expired'",
  where: "consent.id = due.id",
  more: "valid_until",
});

interface ExpiredRow extends EndedConsent {
  readonly valid_until: Date;
}

async function expireIn(queries: Queries, act: Act): Promise<number> {
  const [turn] = await queries.run<{ taken: boolean }>({ name: "expiry-turn", text: TAKE_TURN, values: [] });
  if (turn?.taken !== true) return 0;
  const ended = await queries.run<ExpiredRow>({ name: "consent-expire", text: EXPIRE, values: [] });
  await appendAudit(
    queries,
    ended.map(({ valid_until: validUntil, ...each }) => recordExpired(act, { ...each, validUntil })),
  );
  await tellEnded(queries, ended, act);
  return ended.length;
}

/**
 * Ends consents that have expired, the oldest first, at most {@link EXPIRY_BATCH_CONSENTS}. One transaction writes
 * their state, audit entries and events, and deletes their codes and tokens. Returns how many; also 0 while another
 * process does it. The database's clock decides, so a process whose clock is wrong ends nothing early.
 */
export function expireConsents(database: Database, act: Act): Promise<number> {
  return database.transaction((queries) => expireIn(queries, act));
}
