import { randomBytes } from "node:crypto";
import type { PsuId } from "@cobs/cobs-model";
import type { Database, Queries, Statement } from "@cobs/service-edge";
import { appendAudit } from "../../audit/append-audit-postgres.ts";
import type { SignInNotices } from "../../notices/sign-in-change.ts";
import type { AuthenticatedPsu } from "../../psu-block/psu-blocks.ts";
import { admitsWhileStoring } from "../../psu-block/psu-blocks-postgres.ts";
import type { NewPasskey, Passkey } from "./passkey.ts";
import {
  type AdditionOutcome,
  MOST_PASSKEYS,
  type PasskeyAct,
  type PasskeyStore,
  type RemovalOutcome,
} from "./passkey-store.ts";

interface PasskeyRow {
  readonly id: string;
  readonly psu_id: PsuId;
  readonly credential_id: Buffer;
  readonly public_key: Buffer;
  readonly counter: bigint;
  readonly name: string;
  readonly added_at: Date;
  readonly last_used_at: Date | null;
}

const COLUMNS = "id, psu_id, credential_id, public_key, counter, name, added_at, last_used_at";
const ID_BYTES = 12;

// Changes of one PSU take turns, so that the limit and the rule on the last authenticator hold for parallel ones.
const TAKE_TURN = "SELECT pg_advisory_xact_lock(hashtextextended('passkeys ' || $1::text, 0))";
const ADD = `INSERT INTO passkey (id, psu_id, credential_id, public_key, counter, name, added_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (credential_id) DO NOTHING RETURNING id`;
const LIST = `SELECT ${COLUMNS} FROM passkey WHERE psu_id = $1 ORDER BY added_at, id`;
const FIND = `SELECT ${COLUMNS} FROM passkey WHERE credential_id = $1`;
// A counter that stands still or goes back indicates a copy (Web Authentication 6.1.1); 0 means that the authenticator does not
// count.
const USE = `UPDATE passkey SET counter = $2, last_used_at = $3
  WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING id`;
// Lets the passkey be used meanwhile, but not removed.
const KEEP = "SELECT FROM passkey WHERE id = $1 FOR KEY SHARE";
const REMOVE = `DELETE FROM passkey WHERE id = $1 AND psu_id = $2
  AND (EXISTS (SELECT FROM passkey AS other WHERE other.psu_id = $2 AND other.id <> $1)
    OR EXISTS (SELECT FROM sandbox_psu WHERE psu_id = $2 AND sealed_totp_secret IS NOT NULL))
  RETURNING name`;

/** Keeps passkeys in PostgreSQL. */
export function createPasskeyStore(database: Database, notices: SignInNotices): PasskeyStore {
  const inTurn = <T>(by: AuthenticatedPsu, work: (change: Change) => Promise<T>) =>
    database.transaction(async (queries): Promise<T | "not_admitted"> => {
      const { psu } = by;
      if (!(await admitsWhileStoring(queries, by))) return "not_admitted";
      await queries.run({ name: "passkey-take-turn", text: TAKE_TURN, values: [psu] });
      return work({ queries, notices });
    });
  return {
    add: (passkey, by) => inTurn({ ...by, psu: passkey.psu }, (change) => addIn(change, passkey, by)),
    list: (psu) => list(database, psu),
    async find(credentialId) {
      const values = [Buffer.from(credentialId, "base64url")];
      const [row] = await database.run<PasskeyRow>({ name: "passkey-find", text: FIND, values });
      return row && readPasskey(row);
    },
    async use(id, counter, now) {
      const used = await database.run({ name: "passkey-use", text: USE, values: [id, counter, now] });
      return used.length > 0;
    },
    remove: (passkey, by) => inTurn({ ...by, psu: passkey.psu }, (change) => removeIn(change, passkey, by)),
  };
}

/**
 * Whether a passkey has not been removed, at the beginning of a transaction that rests on its answer. Until the transaction ends
 * nobody can remove it.
 */
export async function isKeptWhileStoring(queries: Queries, id: Passkey["id"]): Promise<boolean> {
  return (await queries.run({ name: "passkey-keep", text: KEEP, values: [id] })).length > 0;
}

/** What a change works with, in its transaction. */
interface Change {
  readonly queries: Queries;
  readonly notices: SignInNotices;
}

async function list(queries: Queries, psu: PsuId): Promise<readonly Passkey[]> {
  const rows = await queries.run<PasskeyRow>({ name: "passkey-list", text: LIST, values: [psu] });
  return rows.map(readPasskey);
}

async function addIn(change: Change, passkey: NewPasskey, by: PasskeyAct): Promise<AdditionOutcome> {
  const { queries, notices } = change;
  const { psu, name, counter } = passkey;
  if ((await list(queries, psu)).length >= MOST_PASSKEYS) return "too_many";
  if (!(await notices.admits(queries, psu, by.now))) return "too_often";
  const id = randomBytes(ID_BYTES).toString("base64url");
  const key = [Buffer.from(passkey.credentialId, "base64url"), Buffer.from(passkey.publicKey)];
  const add: Statement = { name: "passkey-add", text: ADD, values: [id, psu, ...key, counter, name, by.now] };
  if ((await queries.run(add)).length === 0) return "known";
  await tell(change, "added", { id, psu, name }, by);
  return "added";
}

async function removeIn(
  change: Change,
  { id, psu }: Pick<Passkey, "id" | "psu">,
  by: PasskeyAct,
): Promise<RemovalOutcome> {
  const { queries } = change;
  const remove = { name: "passkey-remove", text: REMOVE, values: [id, psu] };
  const [removed] = await queries.run<{ name: string }>(remove);
  if (removed === undefined) {
    return (await list(queries, psu)).some((each) => each.id === id) ? "last" : "unknown";
  }
  await tell(change, "removed", { id, psu, name: removed.name }, by);
  return "removed";
}

/** Records the change in the audit log, and notifies the PSU. */
async function tell(
  { queries, notices }: Change,
  done: "added" | "removed",
  { id, psu, name }: Pick<Passkey, "id" | "psu" | "name">,
  { act, now, language }: PasskeyAct,
): Promise<void> {
  const subject = { kind: "credential", id } as const;
  const details = { kind: "passkey", psu, name };
  await appendAudit(queries, [{ act, action: `credential.${done}`, subject, details }]);
  const change = { kind: `passkey_${done}`, name } as const;
  await notices.tell(queries, { psu, change, at: now, language, requestId: act.requestId });
}

function readPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    psu: row.psu_id,
    credentialId: row.credential_id.toString("base64url"),
    publicKey: Uint8Array.from(row.public_key),
    counter: Number(row.counter),
    name: row.name,
    addedAt: row.added_at,
    lastUsedAt: row.last_used_at ?? undefined,
  };
}
