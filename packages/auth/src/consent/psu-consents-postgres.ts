import type { Application, PsuId } from "@cobs/cobs-model";
import type { Queries } from "@cobs/service-edge";
import { IS_ACTIVE, readUsedConsent, USED_CONSENT_COLUMNS, type UsedConsentRow } from "./consent-row.ts";
import type { PsuConsent, PsuConsents } from "./psu-consents.ts";

interface PsuConsentRow extends UsedConsentRow {
  readonly organisation_name: string;
  readonly authority_id: string;
  readonly authority_name: string;
  readonly client_name: string | null;
  readonly localized_names: Application["localizedNames"] | null;
}

const PAGE_CONSENTS = 10;
const IS_OVER = `NOT (${IS_ACTIVE})`;

/** Active consents are sorted by when they were given, ended ones by their end, as the PSU sees them; newest first. */
const BY_START = "given_at DESC";
const BY_END = "coalesce(ended_at, valid_until) DESC";

/** Selects one page of consents first, so that only these are joined. */
const withOwners = (
  picked: string,
  order = BY_START,
) => `SELECT picked.*, tpp.organisation_name, tpp.authority_id,
    tpp.authority_name, application.client_name, application.localized_names
  FROM (${picked}) AS picked
  JOIN tpp ON tpp.organisation_identifier = picked.organisation_identifier
  LEFT JOIN application ON application.id = picked.application_id AND application.deleted_at IS NULL
  ORDER BY ${order}, picked.id DESC`;

const list = (condition: string, order: string) =>
  withOwners(
    `SELECT ${USED_CONSENT_COLUMNS} FROM consent WHERE psu_id = $1 AND ${condition}
    ORDER BY ${order}, id DESC LIMIT ${PAGE_CONSENTS} OFFSET $2`,
    order,
  );
const count = (condition: string) =>
  `SELECT count(*) AS consents FROM consent WHERE psu_id = $1 AND ${condition}`;

const STATEMENTS = {
  active: { name: "psu-consents-active", list: list(IS_ACTIVE, BY_START), count: count(IS_ACTIVE) },
  over: { name: "psu-consents-over", list: list(IS_OVER, BY_END), count: count(IS_OVER) },
};
const FIND = withOwners(`SELECT ${USED_CONSENT_COLUMNS} FROM consent WHERE psu_id = $1 AND id = $2`);
const OTHERS = withOwners(`SELECT ${USED_CONSENT_COLUMNS} FROM consent
  WHERE psu_id = $1 AND organisation_identifier = $2 AND application_id <> $3 AND ${IS_ACTIVE}
  ORDER BY ${BY_START}, id DESC LIMIT ${PAGE_CONSENTS}`);

function readRow(row: PsuConsentRow): PsuConsent {
  const { client_name: clientName, localized_names: localizedNames } = row;
  const isRegistered = clientName !== null && localizedNames !== null;
  return {
    consent: readUsedConsent(row),
    tpp: {
      organisationIdentifier: row.organisation_identifier,
      organisationName: row.organisation_name,
      authority: { id: row.authority_id, name: row.authority_name },
    },
    application: isRegistered ? { clientName, localizedNames } : undefined,
  };
}

/** Makes the reader of PSUs' consents in PostgreSQL. */
export function createPsuConsents(queries: Queries): PsuConsents {
  async function countPages(psu: PsuId, { name, count: text }: (typeof STATEMENTS)["active"]) {
    const statement = { name: `${name}-count`, text, values: [psu] };
    const [row] = await queries.run<{ consents: bigint }>(statement);
    return Math.max(1, Math.ceil(Number(row?.consents ?? 0n) / PAGE_CONSENTS));
  }
  return {
    async list(psu, { active, page: wanted }) {
      const statement = active ? STATEMENTS.active : STATEMENTS.over;
      const pages = await countPages(psu, statement);
      const page = Math.min(wanted, pages);
      const values = [psu, (page - 1) * PAGE_CONSENTS];
      const rows = await queries.run<PsuConsentRow>({ name: statement.name, text: statement.list, values });
      return { consents: rows.map(readRow), page, pages };
    },
    async find(psu, id) {
      const values = [psu, id];
      const [row] = await queries.run<PsuConsentRow>({ name: "psu-consent-find", text: FIND, values });
      return row && readRow(row);
    },
    async findOthers({ psu, organisationIdentifier, applicationId }) {
      const values = [psu, organisationIdentifier, applicationId];
      const rows = await queries.run<PsuConsentRow>({ name: "psu-consents-others", text: OTHERS, values });
      return rows.map(readRow);
    },
  };
}
