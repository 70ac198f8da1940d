import {
  type ListCondition,
  listStatement,
  mergedListStatement,
  newestFirst,
  type PageQuestion,
  pageAfter,
  type Queries,
  type Statement,
} from "@cobs/service-edge";
import type { Consent } from "./consent.ts";
import {
  IS_ACTIVE,
  readUsedConsent,
  USED_CONSENT_COLUMNS,
  type UsedConsentRow,
  WRITTEN_STATE,
} from "./consent-row.ts";
import type { ConsentFilter, ConsentSearch } from "./consent-search.ts";

// The bound on `given_at` keeps a list of expired consents from reading rows newer than the newest expired one.
const CONDITION_OF_STATE: Readonly<Record<Consent["state"], string>> = {
  active: IS_ACTIVE,
  expired: `end_reason = 'expired'
    AND given_at <= (SELECT max(given_at) FROM consent WHERE end_reason = 'expired')`,
  revoked: "end_reason <> 'expired'",
};
const STATES: readonly Consent["state"][] = ["active", "expired", "revoked"];

const FIND = `SELECT ${USED_CONSENT_COLUMNS} FROM consent WHERE id = $1`;

// Found first, because no index has both the accounts and the order of the list.
const OF_ACCOUNT = `id = ANY (ARRAY(SELECT id FROM consent WHERE account_ids @> ARRAY[$]::text[] COLLATE "C"))`;
/**
 * Whether the application, the first of two values, is the TPP's, the second. Applications never change hands, so this is asked once.
 * Asked of each consent instead, it would have all those to an application of another TPP read, to find none.
 */
const IS_OF_TPP = "(SELECT owner FROM application WHERE id = ($::text[])[1]) = ($::text[])[2]";
const LIST = { name: "consent-list", table: "consent", columns: USED_CONSENT_COLUMNS };
const IN_ORDER = newestFirst(LIST, "given_at");
/**
 * Order for the consents to one application or TPP. It differs from `IN_ORDER` so that PostgreSQL does not search
 * everybody's consents for what may be few.
 */
const AMONG_THEIR_OWN = newestFirst(LIST, "(given_at AT TIME ZONE 'UTC')");
const BY_STATE = { ...LIST, stateOf: WRITTEN_STATE, order: AMONG_THEIR_OWN.list.order };
const COUNT = `SELECT count(*) AS total, count(*) FILTER (WHERE ${IS_ACTIVE}) AS active
  FROM consent WHERE psu_id = $1`;

interface CountRow {
  readonly total: bigint;
  readonly active: bigint;
}

/** The statement that answers a query. */
export function consentListStatement(filter: ConsentFilter, page: PageQuestion<Consent["id"]>): Statement {
  const { psu, application, tpp, account, state } = filter;
  const holders = conditionsOnHolders(filter);
  const isOfHolder = psu === undefined && account === undefined && (application ?? tpp) !== undefined;
  if (isOfHolder) return holderListStatement(holders, state, page);
  // Each condition except `account` has an index in the order of the list.
  const conditions = [
    { name: "psu", text: "psu_id = $", value: psu },
    ...holders,
    { name: "account", text: OF_ACCOUNT, value: account },
    ...(state === undefined ? [] : [{ name: state, text: CONDITION_OF_STATE[state], value: state }]),
    { name: "after", text: IN_ORDER.earlier, value: page.after },
  ];
  return listStatement(IN_ORDER.list, conditions, page.limit);
}

/** The conditions on the application and the TPP: with both, the application finds the consents, and its owner decides. */
function conditionsOnHolders({ application, tpp }: ConsentFilter): readonly ListCondition[] {
  const isOfTpp =
    application === undefined || tpp === undefined
      ? { text: "organisation_identifier = $", value: tpp }
      : { text: IS_OF_TPP, value: [application, tpp] };
  return [
    { name: "application", text: "application_id = $", value: application },
    { name: "tpp", ...isOfTpp },
  ];
}

/** The statement for the consents to an application or a TPP, in one state or in all. */
function holderListStatement(
  holders: readonly ListCondition[],
  state: Consent["state"] | undefined,
  { after, limit }: PageQuestion<Consent["id"]>,
): Statement {
  const conditions = [
    ...holders,
    ...(state === "active" ? [{ name: state, text: "valid_until > now()", value: state }] : []),
    { name: "after", text: AMONG_THEIR_OWN.earlier, value: after },
  ];
  return mergedListStatement(BY_STATE, conditions, { states: state === undefined ? STATES : [state], limit });
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
