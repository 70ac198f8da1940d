import { securityProfileOf } from "@cobs/cobs-model";
import { listStatement, pageAfter, type Queries, type Statement } from "@cobs/service-edge";
import type { ApplicationFacts, ApplicationQuestion, ApplicationSearch } from "./application-search.ts";

type FactsRow = Omit<ApplicationFacts, "deletedAt" | "securityProfile"> & { readonly deletedAt: Date | null };

// Reading the rows of very many consents takes seconds, so the count uses only the index on consents that have not
// ended: an expired one counts until its end is written, seconds later.
const FACTS = `SELECT id, owner, client_name AS "clientName", application_type AS "applicationType",
    redirect_uris AS "redirectUris", scopes, contact, token_endpoint_auth_method AS "tokenEndpointAuthMethod",
    created_at AS "createdAt", deleted_at AS "deletedAt", (SELECT count(*)::int FROM consent
      WHERE application_id = application.id AND ended_at IS NULL) AS "activeConsents"
  FROM application`;

const FIND = `${FACTS} WHERE id = $1`;
const LATER = "(created_at, id) > (SELECT created_at, id FROM application WHERE id = $)";
const LIST = {
  name: "application-search",
  select: FACTS,
  where: "deleted_at IS NULL",
  order: "created_at, id",
};

function readFacts(row: FactsRow): ApplicationFacts {
  return { ...row, securityProfile: securityProfileOf(row), deletedAt: row.deletedAt ?? undefined };
}

/** The statement that answers a query. Rows of deleted applications stay, so any application can be where a page ended. */
export function applicationListStatement({ tpp, after, limit }: ApplicationQuestion): Statement {
  const conditions = [
    { name: "tpp", text: "owner = $", value: tpp },
    { name: "after", text: LATER, value: after },
  ];
  return listStatement(LIST, conditions, limit);
}

/** Makes the search of applications in PostgreSQL. */
export function createApplicationSearch(queries: Queries): ApplicationSearch {
  const run = async (statement: Statement) => (await queries.run<FactsRow>(statement)).map(readFacts);
  const find: ApplicationSearch["find"] = async (id) =>
    (await run({ name: "application-facts", text: FIND, values: [id] }))[0];
  return {
    find,
    async list(question) {
      return pageAfter(await run(applicationListStatement(question)), question.after, find);
    },
  };
}
