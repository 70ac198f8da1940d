import { type Database, gather, inPlaces, type PlacedRow, type Queries } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import type { RecordKey } from "../ephemeral/ephemeral-store.ts";
import { hashRecordId } from "../ephemeral/hash-record-id.ts";
import { appendEvents } from "../feed/append-events-postgres.ts";
import type { TokenStore } from "./token-store.ts";

const PUT = `INSERT INTO token (kind, id_hash, grant_id, payload, expires_at)
  SELECT kind, id_hash, grant_id, payload::jsonb, now() + make_interval(secs => seconds)
  FROM unnest($1::text[], $2::bytea[], $3::text[], $4::text[], $5::float8[])
    AS given (kind, id_hash, grant_id, payload, seconds)
  ON CONFLICT (kind, id_hash) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at`;

const FIND = `SELECT asked.place::int, payload, consumed_at IS NOT NULL AS consumed
  FROM unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS asked (asked_kind, asked_hash, place)
  JOIN token ON kind = asked_kind AND id_hash = asked_hash WHERE expires_at > now()`;

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

interface NewToken {
  readonly key: RecordKey;
  readonly payload: string;
  readonly grantId: string;
  readonly lifetimeSeconds: number;
}

async function putAll(database: Database, tokens: readonly NewToken[]): Promise<readonly undefined[]> {
  const values = [
    tokens.map(({ key }) => key.kind),
    tokens.map(({ key }) => hashRecordId(key.id)),
    tokens.map(({ grantId }) => grantId),
    tokens.map(({ payload }) => payload),
    tokens.map(({ lifetimeSeconds }) => lifetimeSeconds),
  ];
  await database.run({ name: "token-put", text: PUT, values });
  return tokens.map(() => undefined);
}

/** Keeps codes and tokens in PostgreSQL. */
export function createTokenStore<Payload extends object>(database: Database): TokenStore<Payload> {
  const put = gather((tokens: readonly NewToken[]) => putAll(database, tokens));
  return {
    put: (key, payload, terms) => put({ key, payload: JSON.stringify(payload), ...terms }),
    find: gather(async (keys: readonly RecordKey[]) => {
      const values = [keys.map(({ kind }) => kind), keys.map(({ id }) => hashRecordId(id))];
      const statement = { name: "token-find", text: FIND, values };
      const rows = await database.run<PlacedRow & { payload: Payload; consumed: boolean }>(statement);
      return inPlaces(rows, keys.length).map((row) => {
        return row && { payload: row.payload, consumed: row.consumed };
      });
    }),
    async consume(key) {
      const statement = { name: "token-consume", text: CONSUME, values: keyValues(key) };
      return (await database.run(statement)).length === 1;
    },
    remove: (key, act) => database.transaction((queries) => removeIn(queries, key, act)),
  };
}
