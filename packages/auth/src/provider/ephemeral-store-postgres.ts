import type { Database } from "@cobs/service-edge";
import type { EphemeralStore } from "./ephemeral-store.ts";
import { hashRecordId } from "./hash-record-id.ts";
import type { RecordKey } from "./token-store.ts";

const PUT = `INSERT INTO ephemeral_record (kind, id_hash, uid_hash, payload, expires_at)
  VALUES ($1, $2, $3, $4::jsonb, now() + make_interval(secs => $5))
  ON CONFLICT (kind, id_hash) DO UPDATE
  SET uid_hash = excluded.uid_hash, payload = excluded.payload, expires_at = excluded.expires_at`;

const FIND = `SELECT payload FROM ephemeral_record WHERE kind = $1 AND id_hash = $2 AND expires_at > now()`;
const FIND_BY_UID = `SELECT payload FROM ephemeral_record WHERE kind = $1 AND uid_hash = $2 AND expires_at > now()`;
const TAKE = "DELETE FROM ephemeral_record WHERE kind = $1 AND id_hash = $2 RETURNING kind";

const keyValues = (key: RecordKey) => [key.kind, hashRecordId(key.id)];

/** Keeps sessions and interactions in PostgreSQL, for an installation without Redis. */
export function createEphemeralStore<Payload extends object>(database: Database): EphemeralStore<Payload> {
  const findPayload = async (statement: { name: string; text: string }, values: readonly unknown[]) => {
    const [row] = await database.run<{ payload: Payload }>({ ...statement, values });
    return row?.payload;
  };
  return {
    async put(key, payload, { uid, lifetimeSeconds }) {
      const uidHash = uid === undefined ? null : hashRecordId(uid);
      const values = [...keyValues(key), uidHash, JSON.stringify(payload), lifetimeSeconds];
      await database.run({ name: "ephemeral-put", text: PUT, values });
    },
    find: (key) => findPayload({ name: "ephemeral-find", text: FIND }, keyValues(key)),
    findByUid: (kind, uid) =>
      findPayload({ name: "ephemeral-find-by-uid", text: FIND_BY_UID }, [kind, hashRecordId(uid)]),
    async take(key) {
      const statement = { name: "ephemeral-take", text: TAKE, values: keyValues(key) };
      return (await database.run(statement)).length === 1;
    },
  };
}
