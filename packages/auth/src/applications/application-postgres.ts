import { type ApplicationId, securityProfileOf } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import {
  type Database,
  gatherLookups,
  inOneJson,
  inPlaces,
  type PlacedRow,
  type Queries,
  type Statement,
} from "@cobs/service-edge";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import type { EndConsentsOfApplication } from "../consent/consent-store.ts";
import { appendEvents } from "../feed/append-events-postgres.ts";
import { takeTurnAtApplication } from "../signing/payment-consent-postgres.ts";
import type { BlockableParty, StopListKey } from "../tpp/stop-list.ts";
import { BLOCKED_OF_ASKED, isTppBlocked, nameOfParty, partyValues } from "../tpp/stop-list-postgres.ts";
import { readTpp, TPP_COLUMNS, type TppRow } from "../tpp/tpp-postgres.ts";
import type { RegisteredApplication } from "./application.ts";
import {
  APPLICATION_COLUMNS,
  type ApplicationRow,
  readCredentials,
  registrationValues,
} from "./application-row.ts";
import {
  type ApplicationStore,
  type AskingApplication,
  MOST_APPLICATIONS_PER_TPP,
  type NamedApplication,
  type NewApplication,
  type OwnedApplicationId,
} from "./application-store.ts";
import { recordChanged, recordDeleted, recordRegistered, recordSecretRenewed } from "./record-application.ts";

const LOCK_OWNER = "SELECT 1 FROM tpp WHERE organisation_identifier = $1 FOR UPDATE";

const ADD = `INSERT INTO application (id, owner, secret_hash, application_type, redirect_uris, client_name,
    localized_names, logo_uri, contact, scopes, token_endpoint_auth_method, jwks, jwks_uri)
  SELECT $1::text, $2::text, $3::text, $4::text, $5::text[], $6::text, $7::jsonb, $8::text, $9::text, $10::text[],
    $11::text, $12::jsonb, $13::text
  WHERE (SELECT count(*) FROM application WHERE owner = $2 AND deleted_at IS NULL) < $14
  RETURNING ${APPLICATION_COLUMNS}`;

const OWNED = "id = $1 AND owner = $2 AND deleted_at IS NULL";

const REPLACE = `UPDATE application SET application_type = $3, redirect_uris = $4, client_name = $5,
    localized_names = $6::jsonb, logo_uri = $7, contact = $8, scopes = $9, token_endpoint_auth_method = $10,
    jwks = $11::jsonb, jwks_uri = $12, version = gen_random_uuid(),
    secret_hash = CASE WHEN $13 THEN secret_hash END,
    former_secret_hash = CASE WHEN $13 THEN former_secret_hash END,
    former_secret_until = CASE WHEN $13 THEN former_secret_until END
  WHERE ${OWNED} RETURNING ${APPLICATION_COLUMNS}`;

// A secret older than the former one ends at once, so renewing twice ends a leaked one.
const RENEW_SECRET = `UPDATE application SET secret_hash = $3, version = gen_random_uuid(),
    former_secret_hash = CASE WHEN $4::integer > 0 THEN secret_hash END,
    former_secret_until = CASE WHEN $4::integer > 0 THEN now() + make_interval(secs => $4) END
  WHERE ${OWNED} RETURNING ${APPLICATION_COLUMNS}`;

const REMOVE = `UPDATE application SET deleted_at = now(), redirect_uris = '{}', client_name = '',
    localized_names = '[]', logo_uri = NULL, contact = NULL, jwks = NULL, jwks_uri = NULL, secret_hash = '',
    former_secret_hash = NULL, former_secret_until = NULL, version = gen_random_uuid()
  WHERE ${OWNED} RETURNING id`;

const FIND_OWNED = `SELECT ${APPLICATION_COLUMNS} FROM application WHERE ${OWNED}`;
const LOCK_OWNED = `${FIND_OWNED} FOR UPDATE`;
const FIND = `SELECT asked.place::int, ${APPLICATION_COLUMNS}
  FROM unnest($1::text[]) WITH ORDINALITY AS asked (asked_id, place) JOIN application ON id = asked_id
  WHERE deleted_at IS NULL`;
// The application, its TPP, and whether the TPP is on the stop list, as they are at one moment.
const FIND_ASKING = `SELECT asked.place::int, ${APPLICATION_COLUMNS}, ${TPP_COLUMNS},
    ${isTppBlocked("owner")} AS blocked
  FROM unnest($1::text[]) WITH ORDINALITY AS asked (asked_id, place) JOIN application ON id = asked_id
  JOIN tpp ON organisation_identifier = owner WHERE deleted_at IS NULL`;
const FIND_NAMED = inOneJson(`SELECT asked.place::int, judged.blocked, application.*
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY
    AS asked (organisation, certificate, twin, asked_id, place)
  CROSS JOIN ${BLOCKED_OF_ASKED}
  LEFT JOIN LATERAL (SELECT ${APPLICATION_COLUMNS} FROM application
    WHERE id = asked_id AND deleted_at IS NULL LIMIT 1) AS application ON true`);
const LIST = `SELECT ${APPLICATION_COLUMNS} FROM application WHERE owner = $1 AND deleted_at IS NULL
  ORDER BY created_at, id LIMIT ${MOST_APPLICATIONS_PER_TPP}`;

const owned = (which: OwnedApplicationId, more: readonly unknown[] = []) => [which.id, which.owner, ...more];

async function read(queries: Queries, statement: Statement) {
  return (await queries.run<ApplicationRow>(statement)).map(readCredentials);
}

async function readOne(queries: Queries, statement: Statement): Promise<RegisteredApplication | undefined> {
  return (await read(queries, statement))[0]?.application;
}

/** Lists one owner after the other: a list may be long, and this holds one connection at a time. */
async function listEach(queries: Queries, owners: readonly OrganisationIdentifier[]) {
  const lists: (readonly RegisteredApplication[])[] = [];
  for (const owner of owners) {
    const rows = await read(queries, { name: "application-list", text: LIST, values: [owner] });
    lists.push(rows.map(({ application }) => application));
  }
  return lists;
}

async function addIn(queries: Queries, application: NewApplication, limit: number) {
  const { id, owner, registration, secretHash } = application;
  // Without the lock, parallel calls would each count before the others have added.
  await queries.run({ name: "application-lock-owner", text: LOCK_OWNER, values: [owner] });
  const values = [id, owner, secretHash, ...registrationValues(registration), limit];
  return readOne(queries, { name: "application-add", text: ADD, values });
}

/** A change to a locked application; returns the result. */
type Change<T> = (queries: Queries, current: RegisteredApplication) => Promise<T>;

/** Runs a change under the lock of its application: parallel changes run one after the other. */
async function changeAlone<T>(
  database: Database,
  which: OwnedApplicationId,
  change: Change<T>,
): Promise<T | undefined> {
  return database.transaction(async (queries) => {
    await takeTurnAtApplication(queries, which.id);
    const lock = { name: "application-lock", text: LOCK_OWNED, values: owned(which) };
    const current = await readOne(queries, lock);
    return current && change(queries, current);
  }, `application ${which.id}`);
}

/** Narrows the result of an update: a locked row cannot disappear. */
function requireChanged(changed: RegisteredApplication | undefined): RegisteredApplication {
  if (changed === undefined) throw new TypeError("a locked application is gone");
  return changed;
}

/** Makes the methods that change an existing application. */
function createChanges(database: Database, endConsents: EndConsentsOfApplication) {
  const replace: ApplicationStore["replace"] = (which, act, decide) =>
    changeAlone(database, which, async (queries, current) => {
      const registration = decide(current);
      const keepsSecret = securityProfileOf(registration) === "cobs";
      const values = owned(which, [...registrationValues(registration), keepsSecret]);
      const changed = requireChanged(
        await readOne(queries, { name: "application-replace", text: REPLACE, values }),
      );
      const ending = { by: "tpp", reason: "scope_removed", act } as const;
      // Skipped when no scope was removed: every consent would be searched in vain.
      if (current.scopes.some((scope) => !changed.scopes.includes(scope)))
        await endConsents(queries, { id: which.id, servicesLeft: changed.scopes }, ending);
      await appendAudit(queries, [recordChanged(act, current, changed)]);
      await appendEvents(queries, [{ kind: "application", key: which.id }]);
      return changed;
    });
  const renewSecret: ApplicationStore["renewSecret"] = (which, act, decide) =>
    changeAlone(database, which, async (queries, current) => {
      const { secretHash, overlapSeconds } = decide(current);
      const values = owned(which, [secretHash, overlapSeconds]);
      const changed = requireChanged(
        await readOne(queries, { name: "application-renew", text: RENEW_SECRET, values }),
      );
      await appendAudit(queries, [recordSecretRenewed(act, changed, overlapSeconds)]);
      return changed;
    });
  const remove: ApplicationStore["remove"] = async (which, act, check) => {
    const removed = await changeAlone(database, which, async (queries, current) => {
      check(current);
      await queries.run({ name: "application-remove", text: REMOVE, values: owned(which) });
      const by = act.actor.kind === "tpp" ? "tpp" : "bank";
      const ending = { by, reason: "application_deleted", act } as const;
      await endConsents(queries, { id: which.id, servicesLeft: [] }, ending);
      await appendAudit(queries, [recordDeleted(act, current)]);
      await appendEvents(queries, [{ kind: "application", key: which.id }]);
      return current;
    });
    return removed !== undefined;
  };
  return { replace, renewSecret, remove };
}

type AskingRow = PlacedRow & ApplicationRow & TppRow & { readonly blocked: boolean };

function readAsking(row: AskingRow): AskingApplication {
  return { ...readCredentials(row), tpp: readTpp(row), isBlocked: row.blocked };
}

interface NamedAsked {
  readonly by: BlockableParty;
  readonly id: ApplicationId | undefined;
}

type NamedRow = PlacedRow & { readonly blocked: StopListKey["kind"] | null } & (
    | ApplicationRow
    | { readonly id: null }
  );

function readNamed(row: NamedRow): NamedApplication {
  return { blocked: row.blocked ?? undefined, found: row.id === null ? undefined : readCredentials(row) };
}

/** Narrows a look-up: without an answer of the stop list no caller passes. */
function requireAnswered(named: NamedApplication | undefined): NamedApplication {
  if (named === undefined) throw new TypeError("the database returned no row for a requested application");
  return named;
}

function createFindNamed(database: Database): ApplicationStore["findNamed"] {
  const find = gatherLookups(
    ({ by, id }: NamedAsked) => `${nameOfParty(by)} ${id ?? ""}`,
    async (asked: readonly NamedAsked[]) => {
      const values = [...partyValues(asked.map(({ by }) => by)), asked.map(({ id = null }) => id)];
      const statement = { name: "application-find-named", text: FIND_NAMED, values, isInOneJson: true };
      return inPlaces(await database.run<NamedRow>(statement), asked.length).map(
        (row) => row && readNamed(row),
      );
    },
  );
  return (by, id) => find({ by, id }).then(requireAnswered);
}

/** Makes the store of applications in PostgreSQL. */
export function createApplicationStore(
  database: Database,
  endConsents: EndConsentsOfApplication,
): ApplicationStore {
  const findLists = gatherLookups(String, (owners: readonly OrganisationIdentifier[]) =>
    listEach(database, owners),
  );
  return {
    ...createChanges(database, endConsents),
    register: (application, { limit, act }) =>
      database.transaction(async (queries) => {
        const added = await addIn(queries, application, limit);
        if (added !== undefined) await appendAudit(queries, [recordRegistered(act, added)]);
        return added;
      }, `applications of ${application.owner}`),
    findAsking: gatherLookups(String, async (ids: readonly ApplicationId[]) => {
      const statement = { name: "application-find-asking", text: FIND_ASKING, values: [ids] };
      return inPlaces(await database.run<AskingRow>(statement), ids.length).map(
        (row) => row && readAsking(row),
      );
    }),
    findById: gatherLookups(String, async (ids: readonly ApplicationId[]) => {
      const statement = { name: "application-find", text: FIND, values: [ids] };
      const rows = await database.run<PlacedRow & ApplicationRow>(statement);
      return inPlaces(rows, ids.length).map((row) => row && readCredentials(row).application);
    }),
    findNamed: createFindNamed(database),
    findOwned: (which) =>
      readOne(database, { name: "application-find-owned", text: FIND_OWNED, values: owned(which) }),
    listOwned: async (owner) => (await findLists(owner)) ?? [],
  };
}
