import {
  type Clock,
  type Database,
  listStatement,
  mergedListStatement,
  newestFirst,
  type PageQuestion,
  pageAfter,
  type Queries,
  type Statement,
} from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import { admitsWhileStoring } from "../psu-block/psu-blocks-postgres.ts";
import type { CardConsent, CardConsentTerms } from "./card-consent.ts";
import { CARD_CONSENT_COLUMNS, type CardConsentRow, readCardConsent } from "./card-consent-row.ts";
import {
  type CardConsentFilter,
  type CardConsentOutcome,
  type CardConsentStore,
  MOST_HOLDERS,
} from "./card-consent-store.ts";
import { aboutCardConsent, endCardConsent } from "./end-card-consents-postgres.ts";

// The update changes nothing: it makes the statement return the active consent, and locks that until the transaction
// ends.
const GIVE = `INSERT INTO card_consent (id, psu_id, organisation_identifier, organisation_name, account_id, iban, given_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (organisation_identifier, iban, psu_id) WHERE ended_at IS NULL DO UPDATE SET psu_id = excluded.psu_id
  RETURNING ${CARD_CONSENT_COLUMNS}`;

const FIND = `SELECT ${CARD_CONSENT_COLUMNS} FROM card_consent WHERE id = $1`;

const FIND_ACTIVE = `SELECT ${CARD_CONSENT_COLUMNS} FROM card_consent
  WHERE organisation_identifier = $1 AND iban = $2 AND ended_at IS NULL ORDER BY given_at, id LIMIT ${MOST_HOLDERS}`;

const CONDITION_OF_STATE = { active: "ended_at IS NULL", ended: "ended_at IS NOT NULL" } as const;
const STATES: readonly CardConsent["state"][] = ["active", "ended"];
const LIST = { name: "card-consent-list", table: "card_consent", columns: CARD_CONSENT_COLUMNS };
const IN_ORDER = newestFirst(LIST, "given_at");
/**
 * Order for the consents to one card issuer. It differs from `IN_ORDER` so that PostgreSQL does not search everybody's
 * consents for what may be few.
 */
const AMONG_ITS_OWN = newestFirst(LIST, "(given_at AT TIME ZONE 'UTC')");
const BY_STATE = {
  ...LIST,
  stateOf: "(CASE WHEN ended_at IS NULL THEN 'active' ELSE 'ended' END)",
  order: AMONG_ITS_OWN.list.order,
};
/** The same page size as for other consents. */
const PAGE_CONSENTS = 10;
const pageStatement = (state: CardConsent["state"], time: string) => ({
  name: `card-consent-page-${state}`,
  text: `SELECT ${CARD_CONSENT_COLUMNS} FROM card_consent WHERE psu_id = $1 AND ${CONDITION_OF_STATE[state]}
    ORDER BY ${time} DESC, id DESC LIMIT ${PAGE_CONSENTS} OFFSET $2`,
});
const PAGES = { active: pageStatement("active", "given_at"), ended: pageStatement("ended", "ended_at") };
const COUNT = `SELECT count(*) FILTER (WHERE ended_at IS NULL) AS active,
  count(*) FILTER (WHERE ended_at IS NOT NULL) AS ended FROM card_consent WHERE psu_id = $1`;

interface CountRow {
  readonly active: bigint;
  readonly ended: bigint;
}

/** A consent to give; `now` is of the clock that times blocks of PSUs. */
interface Giving {
  readonly terms: Omit<CardConsentTerms, "givenAt">;
  readonly act: Act;
  readonly now: Date;
}

async function giveIn(queries: Queries, { terms, act, now }: Giving): Promise<CardConsentOutcome> {
  const { id, psu, organisationIdentifier, organisationName, account, iban } = terms;
  if (!(await admitsWhileStoring(queries, { psu, authenticatedAt: now }))) return { result: "psu_blocked" };
  const values = [id, psu, organisationIdentifier, organisationName ?? null, account, iban, now];
  const [row] = await queries.run<CardConsentRow>({ name: "card-consent-give", text: GIVE, values });
  if (row === undefined) throw new TypeError("a consent was neither stored nor found");
  const consent = readCardConsent(row);
  if (row.id !== id)
    return { result: row.account_id === account ? "already_given" : "other_account", consent };
  const subject = { kind: "card_consent", id } as const;
  await appendAudit(queries, [
    { act, action: "card_consent.given", subject, details: aboutCardConsent(row) },
  ]);
  return { result: "given", consent };
}

/** The statement that answers a query. */
export function cardConsentListStatement(
  { psu, tpp, state }: CardConsentFilter,
  { after, limit }: PageQuestion<CardConsentRow["id"]>,
): Statement {
  const ofTpp = { name: "tpp", text: "organisation_identifier = $", value: tpp };
  if (psu === undefined && tpp !== undefined) {
    const conditions = [ofTpp, { name: "after", text: AMONG_ITS_OWN.earlier, value: after }];
    return mergedListStatement(BY_STATE, conditions, {
      states: state === undefined ? STATES : [state],
      limit,
    });
  }
  const conditions = [
    { name: "psu", text: "psu_id = $", value: psu },
    ofTpp,
    ...(state === undefined ? [] : [{ name: state, text: CONDITION_OF_STATE[state], value: state }]),
    { name: "after", text: IN_ORDER.earlier, value: after },
  ];
  return listStatement(IN_ORDER.list, conditions, limit);
}

/** Makes the store of consents to card issuers in PostgreSQL; `clock` is the one that times blocks of PSUs. */
export function createCardConsentStore(database: Database, clock: Clock): CardConsentStore {
  const run = async (statement: Statement) =>
    (await database.run<CardConsentRow>(statement)).map(readCardConsent);
  const find: CardConsentStore["find"] = async (id) =>
    (await run({ name: "card-consent-find", text: FIND, values: [id] }))[0];
  const countOf: CardConsentStore["countOf"] = async (psu) => {
    const [row] = await database.run<CountRow>({ name: "card-consent-count", text: COUNT, values: [psu] });
    return { active: Number(row?.active ?? 0n), ended: Number(row?.ended ?? 0n) };
  };
  return {
    find,
    give: (terms, act) =>
      database.transaction((queries) => giveIn(queries, { terms, act, now: clock.now() })),
    end: (id, ending) => database.transaction((queries) => endCardConsent(queries, id, ending)),
    findActive: ({ organisationIdentifier, iban }) =>
      run({ name: "card-consent-find-active", text: FIND_ACTIVE, values: [organisationIdentifier, iban] }),
    list: async (filter, page) =>
      pageAfter(await run(cardConsentListStatement(filter, page)), page.after, find),
    countOf,
    async pagesOf(psu, wanted) {
      const counts = await countOf(psu);
      const pageOf = async (state: CardConsent["state"]) => {
        const pages = Math.max(1, Math.ceil(counts[state] / PAGE_CONSENTS));
        const page = Math.min(wanted[state], pages);
        const consents = await run({ ...PAGES[state], values: [psu, (page - 1) * PAGE_CONSENTS] });
        return { consents, page, pages };
      };
      const [active, ended] = await Promise.all([pageOf("active"), pageOf("ended")]);
      return { active, ended };
    },
  };
}
