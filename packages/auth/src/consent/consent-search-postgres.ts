import type { Queries, Statement } from "@cobs/service-edge";
import type { Consent } from "./consent.ts";
import { IS_ACTIVE, readUsedConsent, USED_CONSENT_COLUMNS, type UsedConsentRow } from "./consent-row.ts";
import type { ConsentFilter, ConsentPageQuestion, ConsentSearch } from "./consent-search.ts";

// Each goes with an index in the order of the list.
const COLUMN_OF = {
  psu: "psu_id",
  application: "application_id",
  tpp: "organisation_identifier",
} as const;

const CONDITION_OF_STATE: Readonly<Record<Consent["state"], string>> = {
  active: IS_ACTIVE,
  expired: "end_reason = 'expired'",
  revoked: "end_reason <> 'expired'",
};

const FIND = `SELECT ${USED_CONSENT_COLUMNS} FROM consent WHERE id = $1`;

const COUNT = `SELECT count(*) AS total, count(*) FILTER (WHERE ${CONDITION_OF_STATE.active}) AS active
  FROM consent WHERE psu_id = $1`;

interface CountRow {
  readonly total: bigint;
  readonly active: bigint;
}

/** The statement of a question: a filter that is not asked for is not in it, so that each has its own plan. */
export function consentListStatement(
  filter: ConsentFilter,
  { after, limit }: ConsentPageQuestion,
): Statement {
  const values: unknown[] = [limit];
  const place = (value: unknown) => `$${values.push(value)}`;
  const equal = (["psu", "application", "tpp"] as const).flatMap((name) =>
    filter[name] === undefined ? [] : [{ name, text: `${COLUMN_OF[name]} = ${place(filter[name])}` }],
  );
  const inState =
    filter.state === undefined ? [] : [{ name: filter.state, text: CONDITION_OF_STATE[filter.state] }];
  const later =
    after === undefined
      ? []
      : [
          {
            name: "after",
            text: `(given_at, id) < (SELECT given_at, id FROM consent WHERE id = ${place(after)})`,
          },
        ];
  const conditions = [...equal, ...inState, ...later];
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.map(({ text }) => text).join(" AND ")}`;
  return {
    name: ["consent-list", ...conditions.map(({ name }) => name)].join("-"),
    text: `SELECT ${USED_CONSENT_COLUMNS} FROM consent ${where} ORDER BY given_at DESC, id DESC LIMIT $1`,
    values,
  };
}

/** Searches consents in PostgreSQL. */
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
      const consents = await run(consentListStatement(filter, page));
      const isEnd = consents.length > 0 || page.after === undefined || (await find(page.after)) !== undefined;
      return isEnd ? consents : undefined;
    },
  };
}
