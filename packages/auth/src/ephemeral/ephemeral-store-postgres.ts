import type { Database } from "@cobs/service-edge";
import type { EphemeralStore, RecordKey, RecordTerms } from "./ephemeral-store.ts";
import { hashRecordId } from "./hash-record-id.ts";

const PUT = `INSERT INTO ephemeral_record (kind, id_hash, uid_hash, payload, expires_at)
  VALUES ($1, $2, $3, $4::jsonb, now() + make_interval(secs => $5))
  ON CONFLICT (kind, id_hash) DO UPDATE
  SET uid_hash = excluded.uid_hash, payload = excluded.payload, expires_at = excluded.expires_at`;

const PUT_NEW = `INSERT INTO ephemeral_record AS held (kind, id_hash, uid_hash, payload, expires_at)
  VALUES ($1, $2, $3, $4::jsonb, now() + make_interval(secs => $5))
  ON CONFLICT (kind, id_hash) DO UPDATE
  SET uid_hash = excluded.uid_hash, payload = excluded.payload, expires_at = excluded.expires_at
  WHERE held.expires_at <= now() RETURNING kind`;

// Without the lock, calls at once would each count before the others have added.
const LOCK_UID = "SELECT pg_advisory_xact_lock(hashtextextended($1 || encode($2::bytea, 'hex'), 0))";

const PUT_AMONG = `INSERT INTO ephemeral_record (kind, id_hash, uid_hash, payload, expires_at)
  SELECT $1, $2, $3, $4::jsonb, now() + make_interval(secs => $5)
  WHERE (SELECT count(*) FROM ephemeral_record
    WHERE kind = $1 AND uid_hash = $3 AND expires_at > now()) < $6 RETURNING kind`;

const FIND = `SELECT payload FROM ephemeral_record WHERE kind = $1 AND id_hash = $2 AND expires_at > now()`;
const FIND_BY_UID = `SELECT payload FROM ephemeral_record WHERE kind = $1 AND uid_hash = $2 AND expires_at > now()`;
const TAKE = `DELETE FROM ephemeral_record WHERE kind = $1 AND id_hash = $2 RETURNING expires_at > now() AS lived`;

const keyValues = (key: RecordKey) => [key.kind, hashRecordId(key.id)];

function recordValues(key: RecordKey, payload: object, { uid, lifetimeSeconds }: RecordTerms) {
  const uidHash = uid === undefined ? null : hashRecordId(uid);
  return [...keyValues(key), uidHash, JSON.stringify(payload), lifetimeSeconds];
}

/** Keeps sessions, interactions, pushed requests and marks in PostgreSQL, for an installation without Redis. */
export function createEphemeralStore<Payload extends object>(database: Database): EphemeralStore<Payload> {
  const findPayload = async (statement: { name: string; text: string }, values: readonly unknown[]) => {
    const [row] = await database.run<{ payload: Payload }>({ ...statement, values });
    return row?.payload;
  };
  return {
    async put(...record) {
      await database.run({ name: "ephemeral-put", text: PUT, values: recordValues(...record) });
    },
    async putNew(...record) {
      const statement = { name: "ephemeral-put-new", text: PUT_NEW, values: recordValues(...record) };
      return (await database.run(statement)).length === 1;
    },
    putAmong: (key, payload, terms) =>
      database.transaction(async (queries) => {
        const lock = [key.kind, hashRecordId(terms.uid)];
        await queries.run({ name: "ephemeral-lock-uid", text: LOCK_UID, values: lock });
        const values = [...recordValues(key, payload, terms), terms.limit];
        return (await queries.run({ name: "ephemeral-put-among", text: PUT_AMONG, values })).length === 1;
      }),
    find: (key) => findPayload({ name: "ephemeral-find", text: FIND }, keyValues(key)),
    findByUid: (kind, uid) =>
      findPayload({ name: "ephemeral-find-by-uid", text: FIND_BY_UID }, [kind, hashRecordId(uid)]),
    async take(key) {
      const statement = { name: "ephemeral-take", text: TAKE, values: keyValues(key) };
      const [taken] = await database.run<{ lived: boolean }>(statement);
      return taken?.lived === true;
    },
  };
}
