/**
 * What PSUs have allowed, to whom, and until when. This folder owns consents and how they end. It does not own the page
 * on which they are given (journey), nor the grants and tokens that the provider derives from them (provider, tokens).
 */
import { createHash } from "node:crypto";
import type { ApplicationId, PsuId } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import {
  type Database,
  gather,
  gatherLookups,
  inPlaces,
  isDatabaseAway,
  type PlacedRow,
  type Queries,
} from "@cobs/service-edge";
import { LRUCache } from "lru-cache";
import type { Act } from "../audit/act.ts";
import { appendAudit, appendAuditWhere, auditValues } from "../audit/append-audit-postgres.ts";
import { appendEvents } from "../feed/append-events-postgres.ts";
import { blockKeyOf } from "../psu-block/psu-blocks-postgres.ts";
import type { ConsentId } from "./consent-id.ts";
import { CONSENT_COLUMNS, type ConsentRow, IS_ACTIVE, readConsent } from "./consent-row.ts";
import type { ConsentStore, NewConsent } from "./consent-store.ts";
import {
  type ConsentToEnd,
  endConsent,
  endEarlierConsents,
  endFreeConsents,
} from "./end-consents-postgres.ts";
import { recordGiven } from "./record-consents.ts";

// The application's row is locked, so consents to it and changes of it run one at a time. The PSU's lock keeps out a
// block of this PSU meanwhile.
const HOLD = `SELECT next_version FROM hold_for_consent(${blockKeyOf("$2")}, $1, $2, $3, $4)`;

const add = (version: string, held: string) => `INSERT INTO consent (
    id, application_id, psu_id, organisation_identifier, services, account_ids, approval_hash, authenticated_at,
    given_at, valid_until, version)
  SELECT $1::text, $2::text, $3::text, $4::text, $5::text[], $6::text[], $7::bytea, $8::timestamptz, $9::timestamptz,
    $10::timestamptz, ${version} ${held}
  ON CONFLICT (approval_hash) DO NOTHING RETURNING id`;
const ADD = add("$11::integer", "");

// One statement suffices when there is no earlier consent to end. It could not end one as well: it would not see a
// consent committed while it waited for the locks.
const GIVE_FIRST = `WITH held AS MATERIALIZED (
    SELECT next_version, has_earlier FROM hold_for_consent(${blockKeyOf("$3")}, $2, $3, $5, $8)
  ), added AS (${add("next_version", "FROM held WHERE NOT has_earlier")}
  ), told AS (${appendAuditWhere("EXISTS (SELECT FROM added)", 10)})
  SELECT has_earlier, EXISTS (SELECT FROM added) AS is_added FROM held`;

const FIND_ACTIVE = `SELECT asked.place::int, ${CONSENT_COLUMNS}
  FROM unnest($1::text[]) WITH ORDINALITY AS asked (asked_id, place) JOIN consent ON id = asked_id
  WHERE ${IS_ACTIVE}`;

const FIND_GIVEN = `SELECT ${CONSENT_COLUMNS} FROM consent
  WHERE approval_hash = $1 AND ${IS_ACTIVE}`;

// The newer of two for one pair comes last and counts; there are two only while one supersedes the other.
const FIND_PRESENT = `SELECT asked.place::int, ${CONSENT_COLUMNS}
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (asked_application, asked_psu, place)
  JOIN consent ON application_id = asked_application AND psu_id = asked_psu
  WHERE ${IS_ACTIVE} ORDER BY version`;

const HISTORY = `SELECT ${CONSENT_COLUMNS} FROM consent
  WHERE application_id = $1 AND psu_id = $2 ORDER BY version DESC LIMIT 100`;

const hashOf = (approval: string) => createHash("sha256").update(approval).digest();

function valuesOf(consent: NewConsent): readonly unknown[] {
  return [
    consent.id,
    consent.applicationId,
    consent.psu,
    consent.organisationIdentifier,
    consent.services,
    consent.accounts,
    hashOf(consent.approval),
    consent.authenticatedAt,
    consent.givenAt,
    consent.validUntil,
  ];
}

class NotGiven extends Error {}

/** Result of an attempt to store a consent; `replaces` means not stored, because an earlier consent has to end first. */
type Given = "given" | "refused" | "replaces";

async function giveFirst(database: Database, consent: NewConsent, act: Act): Promise<Given> {
  const values = [...valuesOf(consent), ...auditValues([recordGiven(act, consent)])];
  const statement = { name: "consent-give-first", text: GIVE_FIRST, values };
  const [held] = await database.run<{ has_earlier: boolean; is_added: boolean }>(statement);
  if (held?.has_earlier) return "replaces";
  return held?.is_added ? "given" : "refused";
}

async function replaceIn(queries: Queries, consent: NewConsent, act: Act): Promise<void> {
  const { applicationId, services, psu, authenticatedAt } = consent;
  const [held] = await queries.run<{ next_version: number }>({
    name: "consent-hold",
    text: HOLD,
    values: [applicationId, psu, services, authenticatedAt],
  });
  if (held === undefined) throw new NotGiven();
  const endings = await endEarlierConsents(queries, consent, act);
  const values = [...valuesOf(consent), held.next_version];
  const added = await queries.run({ name: "consent-add", text: ADD, values });
  // The approval was used before. Undoing the transaction keeps the earlier consent, which it gave, from ending.
  if (added.length === 0) throw new NotGiven();
  await appendAudit(queries, [recordGiven(act, consent)]);
  await appendEvents(queries, endings);
}

async function replace(database: Database, consent: NewConsent, act: Act): Promise<boolean> {
  try {
    await database.transaction((queries) => replaceIn(queries, consent, act));
    return true;
  } catch (error) {
    if (error instanceof NotGiven) return false;
    throw error;
  }
}

/** The PSU who consents, and the application. */
interface Pair {
  readonly application: ApplicationId;
  readonly psu: PsuId;
}

/** More than there are TPPs. */
const MOST_TPPS = 1_000;

/**
 * Ends consents for their TPPs, those of one TPP and moment together: every such transaction waits for the feed, and one TPP's
 * thousands would otherwise have all connections. Those that could hold up the others end one after the other: another transaction
 * holds them, as the deletion of an application does, or orders wait under them.
 */
function endForTpps(
  database: Database,
): (tpp: OrganisationIdentifier, consent: ConsentToEnd) => Promise<boolean> {
  const gathered = new LRUCache<
    OrganisationIdentifier,
    (consent: ConsentToEnd) => Promise<boolean | undefined>
  >({
    max: MOST_TPPS,
    memoMethod: () => gather((asked: readonly ConsentToEnd[]) => endTogether(database, asked)),
  });
  return async (tpp, consent) => {
    const isEnded = await gathered.memo(tpp)(consent);
    if (isEnded !== undefined) return isEnded;
    const { id, ending } = consent;
    return database.transaction((queries) => endConsent(queries, id, ending), `held consents of ${tpp}`);
  };
}

/** If they cannot end together although the database is there, none ends here: one after the other, each has its own outcome. */
async function endTogether(
  database: Database,
  asked: readonly ConsentToEnd[],
): Promise<readonly (boolean | undefined)[]> {
  try {
    return await database.transaction((queries) => endFreeConsents(queries, asked));
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    return asked.map(() => undefined);
  }
}

/** Makes the store of consents in PostgreSQL. */
export function createConsentStore(database: Database): ConsentStore {
  const findPresent = gather(async (pairs: readonly Pair[]) => {
    const values = [pairs.map(({ application }) => application), pairs.map(({ psu }) => psu)];
    const statement = { name: "consent-find-present", text: FIND_PRESENT, values };
    const rows = await database.run<PlacedRow & ConsentRow>(statement);
    return inPlaces(rows, pairs.length).map((row) => row && readConsent(row));
  });
  const endForTpp = endForTpps(database);
  return {
    async give(consent, act) {
      const given = await giveFirst(database, consent, act);
      return given === "replaces" ? replace(database, consent, act) : given === "given";
    },
    async findGiven(approval) {
      const statement = { name: "consent-find-given", text: FIND_GIVEN, values: [hashOf(approval)] };
      const [row] = await database.run<ConsentRow>(statement);
      return row && readConsent(row);
    },
    end(id, ending) {
      const { actor } = ending.act;
      return actor.kind === "tpp"
        ? endForTpp(actor.organisationIdentifier, { id, ending })
        : database.transaction((queries) => endConsent(queries, id, ending));
    },
    findActive: gatherLookups(String, async (ids: readonly ConsentId[]) => {
      const statement = { name: "consent-find-active", text: FIND_ACTIVE, values: [ids] };
      const rows = await database.run<PlacedRow & ConsentRow>(statement);
      return inPlaces(rows, ids.length).map((row) => row && readConsent(row));
    }),
    findPresent: (application, psu) => findPresent({ application, psu }),
    async history(application, psu) {
      const values = [application, psu];
      return (await database.run<ConsentRow>({ name: "consent-history", text: HISTORY, values })).map(
        readConsent,
      );
    },
  };
}
