import {
  listStatement,
  newestFirst,
  type PageQuestion,
  pageAfter,
  type Queries,
  type Statement,
} from "@cobs/service-edge";
import type { Consent } from "./consent.ts";
import { IS_ACTIVE, readUsedConsent, USED_CONSENT_COLUMNS, type UsedConsentRow } from "./consent-row.ts";
import type { ConsentFilter, ConsentSearch } from "./consent-search.ts";

// Consents that have not ended have an index for each list, except those of a PSU, who has few, and of an account.
// The bound on `given_at` keeps a list of expired consents from reading rows newer than the newest expired one.
const CONDITION_OF_STATE: Readonly<Record<Consent["state"], string>> = {
  active: IS_ACTIVE,
  expired: `end_reason = 'expired'
    AND given_at <= (SELECT max(given_at) FROM consent WHERE end_reason = 'expired')`,
  revoked: "end_reason <> 'expired'",
};

const FIND = `SELECT ${USED_CONSENT_COLUMNS} FROM consent WHERE id = $1`;

// Found first, because no index has both the accounts and the order of the list.
const OF_ACCOUNT = `id = ANY (ARRAY(SELECT id FROM consent WHERE account_ids @> ARRAY[$]::text[] COLLATE "C"))`;
const LIST = { name: "consent-list", table: "consent", columns: USED_CONSENT_COLUMNS };
const IN_ORDER = newestFirst(LIST, "given_at");
/**
 * Order for the active consents of one application or TPP. It differs from `IN_ORDER` so that PostgreSQL does not
 * search everybody's consents for what may be few.
 */
const AMONG_THEIR_OWN = newestFirst(LIST, "(given_at AT TIME ZONE 'UTC')");
const COUNT = `SELECT count(*) AS total, count(*) FILTER (WHERE ${IS_ACTIVE}) AS active
  FROM consent WHERE psu_id = $1`;

interface CountRow {
  readonly total: bigint;
  readonly active: bigint;
}

/** The statement that answers a query. */
export function consentListStatement(
  filter: ConsentFilter,
  { after, limit }: PageQuestion<Consent["id"]>,
): Statement {
  const { psu, application, tpp, account, state } = filter;
  const isOfHolder = state === "active" && psu === undefined && (application ?? tpp) !== undefined;
  const { list, earlier } = isOfHolder ? AMONG_THEIR_OWN : IN_ORDER;
  // Each condition except `account` has an index in the order of the list.
  const conditions = [
    { name: "psu", text: "psu_id = $", value: psu },
    { name: "application", text: "application_id = $", value: application },
    { name: "tpp", text: "organisation_identifier = $", value: tpp },
    { name: "account", text: OF_ACCOUNT, value: account },
    ...(state === undefined ? [] : [{ name: state, text: CONDITION_OF_STATE[state], value: state }]),
    { name: "after", text: earlier, value: after },
  ];
  return listStatement(list, conditions, limit);
}

/** Makes the search of consents in PostgreSQL. */
export function createConsentSearch(queries: Queries): ConsentSearch {
  const run = async (statement: Statement) =>
    (await queries.run<UsedConsentRow>(statement)).map(readUsedConsent);
  const find: ConsentSearch["find"] = async (id) =>
    (await run({ name: "consent-find", text: FIND, values: [id] }))[0];
  return {
    find,
    async countOf(psu) {
      const [row] = await queries.run<CountRow>({ name: "consent-count", text: COUNT, values: [psu] });
      const [total, active] = [Number(row?.total ?? 0n), Number(row?.active ?? 0n)];
      return { active, ended: total - active };
    },
    async list(filter, page) {
      return pageAfter(await run(consentListStatement(filter, page)), page.after, find);
    },
  };
}
