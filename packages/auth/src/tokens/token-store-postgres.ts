import { type Database, gather, inOneJson, inPlaces, type PlacedRow, type Queries } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import {
  type ActiveConsentJson,
  IS_ACTIVE,
  readActiveConsent,
  TERMS_COLUMNS,
} from "../consent/consent-row.ts";
import type { RecordKey } from "../ephemeral/ephemeral-store.ts";
import { hashRecordId, hexRecordId } from "../ephemeral/hash-record-id.ts";
import { appendEvents } from "../feed/append-events-postgres.ts";
import { isBlockedNow } from "../tpp/stop-list-postgres.ts";
import type { NewToken, StoredToken, TokenStore } from "./token-store.ts";

// One JSON text: with arrays, each value would be escaped separately, and each payload parsed twice.
const GIVEN = `jsonb_to_recordset($1::jsonb)
    AS given (kind text, id_hash text, grant_id text, payload jsonb, seconds float8)`;
const INSERT = `INSERT INTO token (kind, id_hash, grant_id, payload, expires_at)
  SELECT kind, decode(id_hash, 'hex'), grant_id, payload, now() + make_interval(secs => seconds)
  FROM ${GIVEN}`;
const PUT = `${INSERT}
  ON CONFLICT (kind, id_hash) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at`;

// A plan made while the table was small is kept after it has grown. LATERAL with LIMIT makes every plan look up each
// key by the index; for a plain join, the plan could read the whole table.
const find = (condition: string) =>
  inOneJson(`SELECT asked.place::int, payload, consumed_at IS NOT NULL AS consumed, ${TERMS_COLUMNS},
    asked_kind = 'AccessToken' AND ${isBlockedNow("organisation_identifier", "payload ->> 'x5t#S256'")} AS blocked
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (asked_kind, asked_hash, place)
  CROSS JOIN LATERAL (SELECT payload, consumed_at, grant_id FROM token
    WHERE kind = asked_kind AND id_hash = decode(asked_hash, 'hex') AND ${condition} LIMIT 1) AS token
  LEFT JOIN LATERAL (SELECT * FROM consent
    WHERE id = grant_id AND ${IS_ACTIVE} LIMIT 1) AS consent ON true`);
const FIND = { name: "token-find", text: find("expires_at > now()") };
const FIND_KEPT = { name: "token-find-kept", text: find("true") };

// Parallel calls wait here for one another, and the later ones find the code used.
const REDEEM = `WITH used AS (
    UPDATE token SET consumed_at = now(),
      expires_at = greatest(expires_at, now() + make_interval(secs => (SELECT max(seconds) FROM ${GIVEN})))
    WHERE kind = $2 AND id_hash = $3 AND consumed_at IS NULL AND expires_at > now() RETURNING kind
  ), added AS (${INSERT} WHERE EXISTS (SELECT FROM used))
  SELECT kind FROM used`;

const REMOVE = "DELETE FROM token WHERE kind = $1 AND id_hash = $2 RETURNING id_hash, grant_id";

const keyValues = (key: RecordKey) => [key.kind, hashRecordId(key.id)];

/**
 * Removes a record. Only access tokens are recorded and appended to the feed: services remember only those, under the
 * hash stored here.
 */
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

function presentTokens(tokens: readonly NewToken<object>[]): string {
  const rows = tokens.map(({ key, grantId, payload, lifetimeSeconds }) => ({
    kind: key.kind,
    id_hash: hexRecordId(key.id),
    grant_id: grantId,
    payload,
    seconds: lifetimeSeconds,
  }));
  return JSON.stringify(rows);
}

async function putAll(
  database: Database,
  tokens: readonly NewToken<object>[],
): Promise<readonly undefined[]> {
  await database.run({ name: "token-put", text: PUT, values: [presentTokens(tokens)] });
  return tokens.map(() => undefined);
}

type FoundRow<Payload> = PlacedRow & {
  readonly payload: Payload;
  readonly consumed: boolean;
  readonly blocked: boolean;
} & (ActiveConsentJson | { readonly id: null });

function readToken<Payload>(row: FoundRow<Payload>): StoredToken<Payload> {
  const { payload, consumed, blocked: isBlocked } = row;
  return { payload, consumed, isBlocked, consent: row.id === null ? undefined : readActiveConsent(row) };
}

/** Makes the store of codes and tokens in PostgreSQL. */
export function createTokenStore<Payload extends object>(database: Database): TokenStore<Payload> {
  const put = gather((tokens: readonly NewToken<Payload>[]) => putAll(database, tokens));
  const findBy = ({ name, text }: typeof FIND) =>
    gather(async (keys: readonly RecordKey[]) => {
      const values = [keys.map(({ kind }) => kind), keys.map(({ id }) => hexRecordId(id))];
      const rows = await database.run<FoundRow<Payload>>({ name, text, values, isInOneJson: true });
      return inPlaces(rows, keys.length).map((row) => row && readToken(row));
    });
  return {
    put: (key, payload, terms) => put({ key, payload, ...terms }),
    find: findBy(FIND),
    findKept: findBy(FIND_KEPT),
    async redeem(code, tokens) {
      const values = [presentTokens(tokens), ...keyValues(code)];
      return (await database.run({ name: "token-redeem", text: REDEEM, values })).length === 1;
    },
    remove: (key, act) => database.transaction((queries) => removeIn(queries, key, act)),
  };
}
