import {
  type Database,
  type Log,
  type Repeat,
  type Repeated,
  runEach,
  startBatches,
} from "@cobs/service-edge";
import { forgetArchivedEntries } from "../audit/archive-audit-postgres.ts";
import { forgetOldEvents } from "../feed/feed-postgres.ts";
import { DESTROY_ENDED_KEYS } from "../keys/key-store-postgres.ts";
import { forgetEmptyBuckets } from "../limits/rate-limit-store-postgres.ts";
import { forgetUpstreamPeople } from "../psu/upstream/upstream-people-postgres.ts";

const BATCH_ROWS = 500;
const TERMS = {
  failure: "expired records could not be deleted",
  lookMilliseconds: 5_000,
  busyMilliseconds: 250,
};

// By `ctid`, which does not change while the rows are locked, and as an array, which is computed once: with `IN`, a
// plan made while the table was empty would run the subquery again for each row.
const clean = (table: string) => `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM ${table} WHERE expires_at <= now() ORDER BY expires_at LIMIT ${BATCH_ROWS}
  FOR UPDATE SKIP LOCKED)) RETURNING kind`;

const STATEMENTS = [
  { name: "token-clean", text: clean("token"), values: [] },
  { name: "ephemeral-clean", text: clean("ephemeral_record"), values: [] },
  forgetOldEvents(BATCH_ROWS),
  forgetEmptyBuckets(BATCH_ROWS),
  forgetUpstreamPeople(BATCH_ROWS),
  DESTROY_ENDED_KEYS,
  forgetArchivedEntries(BATCH_ROWS),
];

/** Deletes one batch of expired records per table, on one connection; true when there are probably more. */
export async function cleanExpired(database: Database, signal?: AbortSignal): Promise<boolean> {
  return (await runEach(database, STATEMENTS, BATCH_ROWS, signal)).includes(BATCH_ROWS);
}

/** Deletes expired records in small batches until stopped. No answer depends on it: an expired record is never found. */
export function startCleaning(database: Database, log: Log, again?: Repeat): Repeated {
  return startBatches((signal) => cleanExpired(database, signal), { ...TERMS, log, again });
}
