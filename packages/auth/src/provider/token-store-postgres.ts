import { type Database, gather, inPlaces, type PlacedRow, type Queries } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import { CONSENT_COLUMNS, type ConsentRow, IS_ACTIVE, readConsent } from "../consent/consent-row.ts";
import type { RecordKey } from "../ephemeral/ephemeral-store.ts";
import { hashRecordId } from "../ephemeral/hash-record-id.ts";
import { appendEvents } from "../feed/append-events-postgres.ts";
import { isBlockedNow } from "../tpp/stop-list-postgres.ts";
import type { NewToken, StoredToken, TokenStore } from "./token-store.ts";

// The payloads are one JSON text: as an array of texts each would be escaped, and read twice.
const INSERT = `INSERT INTO token (kind, id_hash, grant_id, payload, expires_at)
  SELECT kind, id_hash, grant_id, payload, now() + make_interval(secs => seconds)
  FROM ROWS FROM (unnest($1::text[], $2::bytea[], $3::text[], $5::float8[]), jsonb_array_elements($4::jsonb))
    AS given (kind, id_hash, grant_id, seconds, payload)`;
const PUT = `${INSERT}
  ON CONFLICT (kind, id_hash) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at`;

// A plan that was made while the table was small is kept when it has grown. Each key is looked up by itself, so that every plan
// goes by the index: a join of all keys with the table would be one that reads all of it.
const FIND = `SELECT asked.place::int, payload, consumed_at IS NOT NULL AS consumed, ${CONSENT_COLUMNS},
    asked_kind = 'AccessToken' AND ${isBlockedNow("organisation_identifier", "payload ->> 'x5t#S256'")} AS blocked
  FROM unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS asked (asked_kind, asked_hash, place)
  CROSS JOIN LATERAL (SELECT payload, consumed_at, grant_id FROM token
    WHERE kind = asked_kind AND id_hash = asked_hash AND expires_at > now() LIMIT 1) AS token
  LEFT JOIN LATERAL (SELECT * FROM consent
    WHERE id = grant_id AND ${IS_ACTIVE} LIMIT 1) AS consent ON true`;

// Of calls at once each waits here for the one before it, and finds the code used.
const REDEEM = `WITH used AS (
    UPDATE token SET consumed_at = now()
    WHERE kind = $6 AND id_hash = $7 AND consumed_at IS NULL AND expires_at > now() RETURNING kind
  ), added AS (${INSERT} WHERE EXISTS (SELECT FROM used))
  SELECT kind FROM used`;

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

function insertValues(tokens: readonly NewToken<object>[]): readonly unknown[] {
  return [
    tokens.map(({ key }) => key.kind),
    tokens.map(({ key }) => hashRecordId(key.id)),
    tokens.map(({ grantId }) => grantId),
    `[${tokens.map(({ payload }) => JSON.stringify(payload)).join()}]`,
    tokens.map(({ lifetimeSeconds }) => lifetimeSeconds),
  ];
}

async function putAll(
  database: Database,
  tokens: readonly NewToken<object>[],
): Promise<readonly undefined[]> {
  await database.run({ name: "token-put", text: PUT, values: insertValues(tokens) });
  return tokens.map(() => undefined);
}

type FoundRow<Payload> = PlacedRow & {
  readonly payload: Payload;
  readonly consumed: boolean;
  readonly blocked: boolean;
} & (ConsentRow | { readonly id: null });

function readToken<Payload>(row: FoundRow<Payload>): StoredToken<Payload> {
  const { payload, consumed, blocked: isBlocked } = row;
  return { payload, consumed, isBlocked, consent: row.id === null ? undefined : readConsent(row) };
}

/** Keeps codes and tokens in PostgreSQL. */
export function createTokenStore<Payload extends object>(database: Database): TokenStore<Payload> {
  const put = gather((tokens: readonly NewToken<Payload>[]) => putAll(database, tokens));
  return {
    put: (key, payload, terms) => put({ key, payload, ...terms }),
    find: gather(async (keys: readonly RecordKey[]) => {
      const values = [keys.map(({ kind }) => kind), keys.map(({ id }) => hashRecordId(id))];
      const statement = { name: "token-find", text: FIND, values };
      const rows = await database.run<FoundRow<Payload>>(statement);
      return inPlaces(rows, keys.length).map((row) => row && readToken(row));
    }),
    async redeem(code, tokens) {
      const values = [...insertValues(tokens), ...keyValues(code)];
      return (await database.run({ name: "token-redeem", text: REDEEM, values })).length === 1;
    },
    remove: (key, act) => database.transaction((queries) => removeIn(queries, key, act)),
  };
}
