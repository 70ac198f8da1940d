import { securityProfileOf } from "@cobs/cobs-model";
import type { Database, Queries, Statement } from "@cobs/service-edge";
import type { EndConsentsOfApplication } from "../consent/consent-store.ts";
import { appendEvents } from "../feed/append-events-postgres.ts";
import {
  APPLICATION_COLUMNS,
  type ApplicationRow,
  readCredentials,
  registrationValues,
} from "./application-row.ts";
import {
  type ApplicationStore,
  MAX_APPLICATIONS_PER_TPP,
  type NewApplication,
  type OwnedApplicationId,
} from "./application-store.ts";

const LOCK_OWNER = "SELECT 1 FROM tpp WHERE organisation_identifier = $1 FOR UPDATE";

const ADD = `INSERT INTO application (id, owner, secret_hash, application_type, redirect_uris, client_name,
    localized_names, logo_uri, contact, scopes, token_endpoint_auth_method, jwks)
  SELECT $1::text, $2::text, $3::text, $4::text, $5::text[], $6::text, $7::jsonb, $8::text, $9::text, $10::text[],
    $11::text, $12::jsonb
  WHERE (SELECT count(*) FROM application WHERE owner = $2 AND deleted_at IS NULL) < ${MAX_APPLICATIONS_PER_TPP}
  RETURNING id`;

const OWNED = "id = $1 AND owner = $2 AND deleted_at IS NULL";

const REPLACE = `UPDATE application SET application_type = $3, redirect_uris = $4, client_name = $5,
    localized_names = $6::jsonb, logo_uri = $7, contact = $8, scopes = $9, token_endpoint_auth_method = $10,
    jwks = $11::jsonb, secret_hash = CASE WHEN $12 THEN secret_hash END
  WHERE ${OWNED} RETURNING ${APPLICATION_COLUMNS}`;

const RENEW_SECRET = `UPDATE application SET secret_hash = $3
  WHERE ${OWNED} AND secret_hash IS NOT NULL RETURNING id`;

const REMOVE = `UPDATE application SET deleted_at = now(), redirect_uris = '{}', client_name = '',
    localized_names = '[]', logo_uri = NULL, contact = NULL, jwks = NULL, secret_hash = ''
  WHERE ${OWNED} RETURNING id`;

const FIND_OWNED = `SELECT ${APPLICATION_COLUMNS} FROM application WHERE ${OWNED}`;
const LOCK_OWNED = `${FIND_OWNED} FOR UPDATE`;
const FIND = `SELECT ${APPLICATION_COLUMNS} FROM application WHERE id = $1 AND deleted_at IS NULL`;
const LIST = `SELECT ${APPLICATION_COLUMNS} FROM application WHERE owner = $1 AND deleted_at IS NULL
  ORDER BY created_at, id LIMIT ${MAX_APPLICATIONS_PER_TPP}`;

async function registerIn(queries: Queries, application: NewApplication): Promise<boolean> {
  const { id, owner, registration, secretHash } = application;
  // Without the lock, calls at once would each count before the others have added.
  await queries.run({ name: "application-lock-owner", text: LOCK_OWNER, values: [owner] });
  const values = [id, owner, secretHash, ...registrationValues(registration)];
  return (await queries.run({ name: "application-add", text: ADD, values })).length > 0;
}

/** Keeps applications in PostgreSQL. */
export function createApplicationStore(
  database: Database,
  endConsents: EndConsentsOfApplication,
): ApplicationStore {
  const owned = (which: OwnedApplicationId, more: readonly unknown[] = []) => [
    which.id,
    which.owner,
    ...more,
  ];
  const read = async (queries: Queries, statement: Statement) =>
    (await queries.run<ApplicationRow>(statement)).map(readCredentials);
  const findOne = async (statement: Statement) => (await read(database, statement))[0];
  return {
    register: (application) => database.transaction((queries) => registerIn(queries, application)),
    replace: (which, decide) =>
      database.transaction(async (queries) => {
        const lock = { name: "application-lock", text: LOCK_OWNED, values: owned(which) };
        const [current] = await read(queries, lock);
        if (current === undefined) return undefined;
        const registration = decide(current.application);
        const keepsSecret = securityProfileOf(registration) === "cobs";
        const values = owned(which, [...registrationValues(registration), keepsSecret]);
        const [found] = await read(queries, { name: "application-replace", text: REPLACE, values });
        if (found === undefined) return undefined;
        const ending = { by: "tpp", reason: "scope_removed" } as const;
        await endConsents(queries, { id: which.id, servicesLeft: found.application.scopes }, ending);
        await appendEvents(queries, [{ kind: "application", key: which.id }]);
        return found.application;
      }),
    async renewSecret(which, secretHash) {
      const values = owned(which, [secretHash]);
      return (await database.run({ name: "application-renew", text: RENEW_SECRET, values })).length > 0;
    },
    remove: (which) =>
      database.transaction(async (queries) => {
        const removed = await queries.run({ name: "application-remove", text: REMOVE, values: owned(which) });
        if (removed.length === 0) return false;
        const ending = { by: "tpp", reason: "application_deleted" } as const;
        await endConsents(queries, { id: which.id, servicesLeft: [] }, ending);
        await appendEvents(queries, [{ kind: "application", key: which.id }]);
        return true;
      }),
    findById: async (id) =>
      (await findOne({ name: "application-find", text: FIND, values: [id] }))?.application,
    findCredentials: (id) => findOne({ name: "application-find", text: FIND, values: [id] }),
    findOwned: async (which) =>
      (await findOne({ name: "application-find-owned", text: FIND_OWNED, values: owned(which) }))
        ?.application,
    listOwned: async (owner) =>
      (await read(database, { name: "application-list", text: LIST, values: [owner] })).map(
        ({ application }) => application,
      ),
  };
}
