import type { Database, Queries } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import type { RecordKey } from "../ephemeral/ephemeral-store.ts";
import { hashRecordId } from "../ephemeral/hash-record-id.ts";
import { appendEvents } from "../feed/append-events-postgres.ts";
import type { TokenStore } from "./token-store.ts";

const PUT = `INSERT INTO token (kind, id_hash, grant_id, payload, expires_at)
  VALUES ($1, $2, $3, $4::jsonb, now() + make_interval(secs => $5))
  ON CONFLICT (kind, id_hash) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at`;

const FIND = `SELECT payload, consumed_at IS NOT NULL AS consumed FROM token
  WHERE kind = $1 AND id_hash = $2 AND expires_at > now()`;

const CONSUME = `UPDATE token SET consumed_at = now()
  WHERE kind = $1 AND id_hash = $2 AND consumed_at IS NULL AND expires_at > now() RETURNING kind`;

const REMOVE = "DELETE FROM token WHERE kind = $1 AND id_hash = $2 RETURNING id_hash, grant_id";

const keyValues = (key: RecordKey) => [key.kind, hashRecordId(key.id)];

/** Services remember access tokens alone, and under the same hash as they are kept here. */
async function removeIn(queries: Queries, key: RecordKey, act: Act): Promise<void> {
  const statement = { name: "token-remove", text: REMOVE, values: keyValues(key) };
  const removed = await queries.run<{ id_hash: Buffer; grant_id: string }>(statement);
  if (key.kind !== "AccessToken") return;
  const tokens = removed.map(({ id_hash: hash, grant_id: consent }) => {
    return { hash: hash.toString("base64url"), consent };
  });
  await appendAudit(
    queries,
    tokens.map(({ hash, consent }) => {
      const details = { kind: key.kind, consent };
      return { act, action: "token.revoked", subject: { kind: "token", id: hash }, details };
    }),
  );
  await appendEvents(
    queries,
    tokens.map(({ hash }) => ({ kind: "token", key: hash })),
  );
}

/** Keeps codes and tokens in PostgreSQL. */
export function createTokenStore<Payload extends object>(database: Database): TokenStore<Payload> {
  return {
    async put(key, payload, { grantId, lifetimeSeconds }) {
      const values = [...keyValues(key), grantId, JSON.stringify(payload), lifetimeSeconds];
      await database.run({ name: "token-put", text: PUT, values });
    },
    async find(key) {
      const statement = { name: "token-find", text: FIND, values: keyValues(key) };
      const [row] = await database.run<{ payload: Payload; consumed: boolean }>(statement);
      return row;
    },
    async consume(key) {
      const statement = { name: "token-consume", text: CONSUME, values: keyValues(key) };
      return (await database.run(statement)).length === 1;
    },
    remove: (key, act) => database.transaction((queries) => removeIn(queries, key, act)),
  };
}
