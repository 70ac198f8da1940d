import { type Scope, securityProfileOf } from "@cobs/cobs-model";
import { listStatement, pageAfter, type Queries, type Statement } from "@cobs/service-edge";
import type { RegisteredApplication } from "./application.ts";
import type { ApplicationFacts, ApplicationQuestion, ApplicationSearch } from "./application-search.ts";

interface FactsRow {
  readonly id: ApplicationFacts["id"];
  readonly owner: ApplicationFacts["owner"];
  readonly client_name: string;
  readonly application_type: ApplicationFacts["applicationType"];
  readonly redirect_uris: readonly string[];
  readonly scopes: readonly Scope[];
  readonly contact: string | null;
  readonly token_endpoint_auth_method: RegisteredApplication["tokenEndpointAuthMethod"];
  readonly created_at: Date;
  readonly deleted_at: Date | null;
  readonly active_consents: bigint;
}

// Of very many consents the rows themselves take seconds, and an index alone tells that they have not ended: one whose time is
// over counts until that is written, seconds later.
const FACTS = `SELECT id, owner, client_name, application_type, redirect_uris, scopes, contact,
    token_endpoint_auth_method, created_at, deleted_at,
    (SELECT count(*) FROM consent WHERE application_id = application.id AND ended_at IS NULL) AS active_consents
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
  return {
    id: row.id,
    owner: row.owner,
    clientName: row.client_name,
    applicationType: row.application_type,
    redirectUris: row.redirect_uris,
    scopes: row.scopes,
    contact: row.contact,
    tokenEndpointAuthMethod: row.token_endpoint_auth_method,
    securityProfile: securityProfileOf({ tokenEndpointAuthMethod: row.token_endpoint_auth_method }),
    createdAt: row.created_at,
    deletedAt: row.deleted_at ?? undefined,
    activeConsents: Number(row.active_consents),
  };
}

/** The statement of a question; the rows of deleted applications stay, so that each can be where a page ended. */
export function applicationListStatement({ tpp, after, limit }: ApplicationQuestion): Statement {
  const conditions = [
    { name: "tpp", text: "owner = $", value: tpp },
    { name: "after", text: LATER, value: after },
  ];
  return listStatement(LIST, conditions, limit);
}

/** Searches applications in PostgreSQL. */
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
