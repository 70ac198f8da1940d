import type { Queries, Statement } from "@cobs/service-edge";
import type { RegisterFinding } from "../tpp-register/register-finding.ts";
import { blocksNow } from "./stop-list-postgres.ts";
import type { TppBlock, TppFacts, TppQuestion, TppSearch } from "./tpp-search.ts";
import type { KnownTpp } from "./tpp-store.ts";

interface FactsRow {
  readonly organisation_identifier: KnownTpp["organisationIdentifier"];
  readonly organisation_name: string;
  readonly authority_id: string;
  readonly authority_name: string;
  readonly roles: KnownTpp["roles"];
  readonly changed_at: Date;
  readonly applications: bigint;
  readonly blocks: readonly (Omit<TppBlock, "blockedAt"> & { readonly blockedAt: string })[] | null;
  readonly finding: RegisterFinding | null;
  readonly since: string | null;
  readonly found_on: string | null;
}

// One statement for all facts of a page; each subquery uses an index of its table.
const FACTS = `SELECT tpp.organisation_identifier, organisation_name, authority_id, authority_name, roles, changed_at,
    (SELECT count(*) FROM application
      WHERE owner = tpp.organisation_identifier AND deleted_at IS NULL) AS applications,
    (SELECT json_agg(json_build_object('origin', origin, 'reason', reason, 'blockedBy', blocked_by,
        'blockedAt', blocked_at) ORDER BY id) FROM stop_list_block
      WHERE ${blocksNow("organisation", "tpp.organisation_identifier")}) AS blocks,
    finding, since::text, found_on::text
  FROM tpp LEFT JOIN tpp_register_finding AS found ON found.organisation_identifier = tpp.organisation_identifier`;

const FIND = `${FACTS} WHERE tpp.organisation_identifier = $1`;

/** Lower-cases by Unicode rules: in the locale C, PostgreSQL knows no lower case of Č. */
const small = (text: string) => `lower(${text} COLLATE "und-x-icu")`;

// No index serves a part of a name. TPPs are few, and the scan in the order of the identifiers ends with the page.
const LIST = `${FACTS} WHERE tpp.organisation_identifier > $1
    AND ($2 = '' OR strpos(${small("tpp.organisation_identifier")}, ${small("$2")}) > 0
      OR strpos(${small("organisation_name")}, ${small("$2")}) > 0)
  ORDER BY tpp.organisation_identifier LIMIT $3`;

/** Before every identifier. */
const BEGINNING = "";

function readFacts(row: FactsRow): TppFacts {
  const { finding, since, found_on: foundOn } = row;
  return {
    organisationIdentifier: row.organisation_identifier,
    organisationName: row.organisation_name,
    authority: { id: row.authority_id, name: row.authority_name },
    roles: row.roles,
    changedAt: row.changed_at,
    applications: Number(row.applications),
    blocks: (row.blocks ?? []).map((block) => ({ ...block, blockedAt: new Date(block.blockedAt) })),
    register:
      finding === null || since === null || foundOn === null ? undefined : { finding, since, foundOn },
  };
}

/** Builds the statement of a search. */
export function tppListStatement({ search = "", after, limit }: TppQuestion): Statement {
  return { name: "tpp-list", text: LIST, values: [after ?? BEGINNING, search, limit] };
}

/** Searches TPPs in PostgreSQL. */
export function createTppSearch(queries: Queries): TppSearch {
  const run = async (statement: Statement) => (await queries.run<FactsRow>(statement)).map(readFacts);
  return {
    list: (question) => run(tppListStatement(question)),
    find: async (organisation) => (await run({ name: "tpp-facts", text: FIND, values: [organisation] }))[0],
  };
}
