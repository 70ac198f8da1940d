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

/**
 * Removes those of the tokens that are there. `lock` says what becomes of rows that another transaction holds. The last two
 * conditions are redundant, but without them the plan could read the whole table.
 */
const remove = (lock: string) => `WITH asked AS (
    SELECT kind, id_hash, min(place)::int AS place
    FROM unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS given (kind, id_hash, place) GROUP BY 1, 2),
  locked AS (SELECT found.kind, found.id_hash, place FROM asked CROSS JOIN LATERAL (SELECT kind, id_hash FROM token
    WHERE token.kind = asked.kind AND token.id_hash = asked.id_hash OFFSET 0 ${lock}) AS found)
  DELETE FROM token AS held USING locked WHERE held.kind = locked.kind AND held.id_hash = locked.id_hash
    AND held.kind = ANY ($1::text[]) AND held.id_hash = ANY ($2::bytea[])
  RETURNING place, held.kind, held.id_hash, grant_id`;
// Waits for nobody: one row that is held would otherwise hold up the tokens of all callers, or deadlock with what holds it.
const REMOVE_FREE = { name: "token-remove-free", text: remove("FOR UPDATE SKIP LOCKED") };
const REMOVE = { name: "token-remove", text: remove("FOR UPDATE") };

const keyValues = (key: RecordKey) => [key.kind, hashRecordId(key.id)];

interface Removal {
  readonly key: RecordKey;
  readonly act: Act;
}

interface RemovedRow extends PlacedRow {
  readonly kind: string;
  readonly id_hash: Buffer;
  readonly grant_id: string;
}

function presentRemoved({ kind, id_hash, grant_id: consent }: RemovedRow, act: Act) {
  const id = id_hash.toString("base64url");
  const details = { kind, consent };
  return { act, action: "token.revoked", subject: { kind: "token", id }, details } as const;
}

/**
 * Removes records, and returns those that it removed by their place. Only access tokens are recorded and appended to the feed:
 * services remember only those, under the hash stored here.
 */
async function removeIn(
  queries: Queries,
  removals: readonly Removal[],
  statement: typeof REMOVE,
): Promise<readonly (RemovedRow | undefined)[]> {
  const values = [removals.map(({ key }) => key.kind), removals.map(({ key }) => hashRecordId(key.id))];
  const rows = await queries.run<RemovedRow>({ ...statement, values });
  const removed = inPlaces(rows, removals.length);
  const entries = removals.flatMap(({ act }, index) => {
    const row = removed[index];
    return row?.kind === "AccessToken" ? [presentRemoved(row, act)] : [];
  });
  await appendAudit(queries, entries);
  await appendEvents(
    queries,
    entries.map(({ subject }) => ({ kind: "token", key: subject.id })),
  );
  return removed;
}

/** Removes a record that another transaction holds, or that is not there; of a TPP one after the other. */
async function removeHeld(database: Database, removal: Removal): Promise<void> {
  const { actor } = removal.act;
  const turn = actor.kind === "tpp" ? `held tokens of ${actor.organisationIdentifier}` : undefined;
  await database.transaction((queries) => removeIn(queries, [removal], REMOVE), turn);
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
  // Every transaction here waits for the feed: gathered, they take two connections, however many tokens a TPP revokes at once.
  const removeFree = gather((removals: readonly Removal[]) =>
    database.transaction((queries) => removeIn(queries, removals, REMOVE_FREE)),
  );
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
    async remove(key, act) {
      const removed = await removeFree({ key, act });
      if (removed === undefined) await removeHeld(database, { key, act });
    },
  };
}
