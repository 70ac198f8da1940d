import { type Database, gather, inPlaces, type PlacedRow } from "@cobs/service-edge";
import type { EphemeralStore, OpenEphemeralStore, RecordKey, RecordTerms } from "./ephemeral-store.ts";
import { hashRecordId } from "./hash-record-id.ts";

// In a fixed order, so that two statements that replace the same records cannot deadlock. The payloads are one JSON text: in an
// array of texts each would be escaped, and read twice.
const PUT = `INSERT INTO ephemeral_record (kind, id_hash, uid_hash, payload, expires_at)
  SELECT kind, id_hash, uid_hash, payload, now() + make_interval(secs => seconds)
  FROM ROWS FROM (unnest($1::text[], $2::bytea[], $3::bytea[], $5::float8[]), jsonb_array_elements($4::jsonb))
    AS given (kind, id_hash, uid_hash, seconds, payload) ORDER BY kind, id_hash
  ON CONFLICT (kind, id_hash) DO UPDATE
  SET uid_hash = excluded.uid_hash, payload = excluded.payload, expires_at = excluded.expires_at`;

const PUT_IN_PLACE = `INSERT INTO ephemeral_record AS held (kind, id_hash, uid_hash, payload, expires_at)
  VALUES ($1, $2, $3, $4::jsonb, now() + make_interval(secs => $5))
  ON CONFLICT (kind, id_hash) DO UPDATE
  SET uid_hash = excluded.uid_hash, payload = excluded.payload, expires_at = excluded.expires_at
  WHERE held.expires_at <= now() OR held.payload = $6::jsonb RETURNING kind`;

// Without the locks, concurrent calls would each count before the others have added. All lock in a fixed order.
const LOCK_UIDS = `SELECT pg_advisory_xact_lock(name) FROM (
  SELECT DISTINCT hashtextextended(kind || encode(uid_hash, 'hex'), 0) AS name
  FROM unnest($1::text[], $2::bytea[]) AS given (kind, uid_hash) ORDER BY 1 OFFSET 0) AS named`;

const PUT_AMONG = `WITH given AS (
    SELECT *, row_number() OVER (PARTITION BY kind, uid_hash ORDER BY place) AS nth
    FROM ROWS FROM (unnest($1::text[], $2::bytea[], $3::bytea[], $5::float8[], $6::int4[]), jsonb_array_elements($4::jsonb))
      WITH ORDINALITY AS asked (kind, id_hash, uid_hash, seconds, most, payload, place)),
  held AS (SELECT kind, uid_hash, living FROM (SELECT DISTINCT kind, uid_hash FROM given) AS named
    CROSS JOIN LATERAL (SELECT count(*) AS living FROM ephemeral_record AS record
      WHERE record.kind = named.kind AND record.uid_hash = named.uid_hash AND expires_at > now()) AS counted),
  added AS (INSERT INTO ephemeral_record (kind, id_hash, uid_hash, payload, expires_at)
    SELECT kind, id_hash, uid_hash, payload, now() + make_interval(secs => seconds)
    FROM given JOIN held USING (kind, uid_hash) WHERE living + nth <= most ORDER BY kind, id_hash
    RETURNING kind, id_hash)
  SELECT place::int FROM given JOIN added USING (kind, id_hash)`;

const WAIT_AMONG = `
  SELECT ceil(extract(epoch FROM coalesce(min(expires_at) - now(), interval '0')) * 1000)::float8 AS milliseconds
  FROM ephemeral_record WHERE kind = $1 AND uid_hash = $2 AND expires_at > now()`;

const ASKED = "unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS asked (asked_kind, asked_hash, place)";
// Each key is looked up by itself, so that a plan made while the table was small still uses the index when it has grown.
const FIND = `SELECT asked.place::int, payload FROM ${ASKED} CROSS JOIN LATERAL (SELECT payload FROM ephemeral_record
    WHERE kind = asked_kind AND id_hash = asked_hash AND expires_at > now() OFFSET 0) AS found`;
const FIND_BY_UID = `SELECT asked.place::int, payload FROM ${ASKED} CROSS JOIN LATERAL (SELECT payload FROM ephemeral_record
    WHERE kind = asked_kind AND uid_hash = asked_hash AND expires_at > now() OFFSET 0) AS found`;
// Of several callers that take one record at the same moment, the first gets it. All lock in a fixed order. The last two
// conditions are redundant, but without them the plan reads the whole table.
const TAKE = `WITH asked AS (
    SELECT asked_kind, asked_hash, min(place) AS place FROM ${ASKED} GROUP BY 1, 2 ORDER BY 1, 2),
  locked AS (SELECT kind, id_hash, place FROM asked CROSS JOIN LATERAL (SELECT kind, id_hash FROM ephemeral_record
    WHERE kind = asked_kind AND id_hash = asked_hash OFFSET 0 FOR UPDATE) AS found)
  DELETE FROM ephemeral_record AS held USING locked WHERE held.kind = locked.kind AND held.id_hash = locked.id_hash
    AND held.kind = ANY ($1::text[]) AND held.id_hash = ANY ($2::bytea[])
  RETURNING locked.place::int, expires_at > now() AS lived`;

const keyValues = (key: RecordKey) => [key.kind, hashRecordId(key.id)];

const hashUid = ({ uid }: RecordTerms) => (uid === undefined ? null : hashRecordId(uid));

function recordValues(key: RecordKey, payload: object, terms: RecordTerms) {
  return [...keyValues(key), hashUid(terms), JSON.stringify(payload), terms.lifetimeSeconds];
}

type NewRecord = Parameters<EphemeralStore<object>["put"]>;

async function putAll(database: Database, records: readonly NewRecord[]): Promise<readonly undefined[]> {
  const values = [
    records.map(([{ kind }]) => kind),
    records.map(([{ id }]) => hashRecordId(id)),
    records.map(([, , terms]) => hashUid(terms)),
    JSON.stringify(records.map(([, payload]) => payload)),
    records.map(([, , { lifetimeSeconds }]) => lifetimeSeconds),
  ];
  await database.run({ name: "ephemeral-put", text: PUT, values });
  return records.map(() => undefined);
}

type NewRecordAmong = Parameters<EphemeralStore<object>["putAmong"]>;

/**
 * Puts the records of one moment, those of one name in the order of asking: each by itself would need a transaction that waits
 * for those before it.
 */
async function putAllAmong(
  database: Database,
  records: readonly NewRecordAmong[],
): Promise<readonly boolean[]> {
  const kinds = records.map(([{ kind }]) => kind);
  const ids = records.map(([{ id }]) => hashRecordId(id));
  const uids = records.map(([, , { uid }]) => hashRecordId(uid));
  const payloads = JSON.stringify(records.map(([, payload]) => payload));
  const lifetimes = records.map(([, , { lifetimeSeconds }]) => lifetimeSeconds);
  const limits = records.map(([, , { limit }]) => limit);
  const added = await database.transaction(async (queries) => {
    await queries.run({ name: "ephemeral-lock-uids", text: LOCK_UIDS, values: [kinds, uids] });
    const values = [kinds, ids, uids, payloads, lifetimes, limits];
    return queries.run<PlacedRow>({ name: "ephemeral-put-among", text: PUT_AMONG, values });
  });
  return inPlaces(added, records.length).map((row) => row !== undefined);
}

/** Gathers the look-ups of one moment, by one of the two names of records, into one statement. */
function gatherOf<Row extends object>(database: Database, statement: { name: string; text: string }) {
  return gather(async (keys: readonly RecordKey[]) => {
    const values = [keys.map(({ kind }) => kind), keys.map(({ id }) => hashRecordId(id))];
    return inPlaces(await database.run<PlacedRow & Row>({ ...statement, values }), keys.length);
  });
}

/** Operations on records of every kind. The caller of a kind knows its payload's type: it is what was put. */
function createRecords(database: Database) {
  const put = gather((records: readonly NewRecord[]) => putAll(database, records));
  const putAmong = gather((records: readonly NewRecordAmong[]) => putAllAmong(database, records));
  const find = gatherOf<{ payload: never }>(database, { name: "ephemeral-find", text: FIND });
  const findByUid = gatherOf<{ payload: never }>(database, {
    name: "ephemeral-find-by-uid",
    text: FIND_BY_UID,
  });
  const take = gatherOf<{ lived: boolean }>(database, { name: "ephemeral-take", text: TAKE });
  async function putInPlaceOf(former: object | undefined, ...record: NewRecord): Promise<boolean> {
    const values = [...recordValues(...record), former === undefined ? null : JSON.stringify(former)];
    return (await database.run({ name: "ephemeral-put-in-place", text: PUT_IN_PLACE, values })).length === 1;
  }
  return {
    put: (...record: NewRecord) => put(record),
    putNew: (...record: NewRecord) => putInPlaceOf(undefined, ...record),
    putInPlaceOf,
    putAmong: (...record: NewRecordAmong) => putAmong(record),
    waitAmong: async (kind: string, uid: string) => {
      const statement = { name: "ephemeral-wait-among", text: WAIT_AMONG, values: [kind, hashRecordId(uid)] };
      const [row] = await database.run<{ milliseconds: number }>(statement);
      return row?.milliseconds ?? 0;
    },
    find: async (key: RecordKey) => (await find(key))?.payload,
    findByUid: async (kind: string, uid: string) => (await findByUid({ kind, id: uid }))?.payload,
    take: async (key: RecordKey) => (await take(key))?.lived === true,
  };
}

/**
 * Keeps data that may be lost in PostgreSQL, for an installation without Redis. All stores that it opens share their statements:
 * what is asked of several kinds at the same moment goes in one.
 */
export function openEphemeralStores(database: Database): OpenEphemeralStore {
  const records = createRecords(database);
  return () => records;
}

/** Opens such a store for one kind alone. */
export function createEphemeralStoreInPostgres<Payload extends object>(
  database: Database,
): EphemeralStore<Payload> {
  return createRecords(database);
}
