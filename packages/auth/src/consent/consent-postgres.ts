/**
 * What PSUs allowed, to whom, until when. This folder owns consents and their end; it does not own the page on which
 * they are given (journey), nor the grants and tokens that the provider derives from them (provider).
 */
import { createHash } from "node:crypto";
import { type Database, gather, inPlaces, type PlacedRow, type Queries } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import { appendEvents } from "../feed/append-events-postgres.ts";
import { admitsWhileStoring } from "../psu/psu-blocks-postgres.ts";
import type { ConsentId } from "./consent-id.ts";
import { CONSENT_COLUMNS, type ConsentRow, readConsent } from "./consent-row.ts";
import type { ConsentStore, NewConsent } from "./consent-store.ts";
import { endConsent, endEarlierConsents } from "./end-consents-postgres.ts";
import { recordGiven } from "./record-consents.ts";

// The lock puts consents to one application in a row, and each of them before or after a change of the application.
const LOCK_APPLICATION = `SELECT id FROM application
  WHERE id = $1 AND deleted_at IS NULL AND scopes @> $2::text[] FOR UPDATE`;

const ADD = `INSERT INTO consent (id, application_id, psu_id, organisation_identifier, services, account_ids,
    approval_hash, authenticated_at, given_at, valid_until, version)
  SELECT $1::text, $2::text, $3::text, $4::text, $5::text[], $6::text[], $7::bytea, $8::timestamptz, $9::timestamptz,
    $10::timestamptz, coalesce(max(version), 0) + 1
  FROM consent WHERE application_id = $2 AND psu_id = $3
  ON CONFLICT (approval_hash) DO NOTHING RETURNING id`;

const FIND_ACTIVE = `SELECT asked.place::int, ${CONSENT_COLUMNS}
  FROM unnest($1::text[]) WITH ORDINALITY AS asked (asked_id, place) JOIN consent ON id = asked_id
  WHERE ended_at IS NULL AND valid_until > now()`;

const FIND_PRESENT = `SELECT ${CONSENT_COLUMNS} FROM consent
  WHERE application_id = $1 AND psu_id = $2 AND ended_at IS NULL AND valid_until > now()
  ORDER BY version DESC LIMIT 1`;

const HISTORY = `SELECT ${CONSENT_COLUMNS} FROM consent
  WHERE application_id = $1 AND psu_id = $2 ORDER BY version DESC LIMIT 100`;

function valuesOf(consent: NewConsent): readonly unknown[] {
  return [
    consent.id,
    consent.applicationId,
    consent.psu,
    consent.organisationIdentifier,
    consent.services,
    consent.accounts,
    createHash("sha256").update(consent.approval).digest(),
    consent.authenticatedAt,
    consent.givenAt,
    consent.validUntil,
  ];
}

class NotGiven extends Error {}

async function giveIn(queries: Queries, consent: NewConsent, act: Act): Promise<void> {
  const { applicationId, services } = consent;
  if (!(await admitsWhileStoring(queries, consent))) throw new NotGiven();
  const locked = await queries.run({
    name: "consent-lock-application",
    text: LOCK_APPLICATION,
    values: [applicationId, services],
  });
  if (locked.length === 0) throw new NotGiven();
  const endings = await endEarlierConsents(queries, consent, act);
  const added = await queries.run({ name: "consent-add", text: ADD, values: valuesOf(consent) });
  // The approval was used: the transaction is undone, so that the earlier consent (its own) does not end.
  if (added.length === 0) throw new NotGiven();
  await appendAudit(queries, [recordGiven(act, consent)]);
  await appendEvents(queries, endings);
}

/** Keeps consents in PostgreSQL. */
export function createConsentStore(database: Database): ConsentStore {
  return {
    give: (consent, act) =>
      database
        .transaction((queries) => giveIn(queries, consent, act))
        .then(
          () => true,
          (error: unknown) => {
            if (error instanceof NotGiven) return false;
            throw error;
          },
        ),
    end: (id, ending) => database.transaction((queries) => endConsent(queries, id, ending)),
    findActive: gather(async (ids: readonly ConsentId[]) => {
      const statement = { name: "consent-find-active", text: FIND_ACTIVE, values: [ids] };
      const rows = await database.run<PlacedRow & ConsentRow>(statement);
      return inPlaces(rows, ids.length).map((row) => row && readConsent(row));
    }),
    async findPresent(application, psu) {
      const values = [application, psu];
      const [row] = await database.run<ConsentRow>({
        name: "consent-find-present",
        text: FIND_PRESENT,
        values,
      });
      return row === undefined ? undefined : readConsent(row);
    },
    async history(application, psu) {
      const values = [application, psu];
      return (await database.run<ConsentRow>({ name: "consent-history", text: HISTORY, values })).map(
        readConsent,
      );
    },
  };
}
