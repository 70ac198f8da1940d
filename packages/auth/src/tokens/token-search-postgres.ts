import type { Queries, Statement } from "@cobs/service-edge";
import {
  type HashPrefix,
  MODEL_OF,
  parseHashPrefix,
  type TokenFacts,
  type TokenKey,
  type TokenKind,
  type TokenQuestion,
  type TokenSearch,
} from "./token-search.ts";

interface FactsRow {
  readonly consent_id: TokenFacts["consent"];
  readonly application_id: TokenFacts["application"];
  readonly kind: string;
  readonly hash_prefix: Buffer;
  readonly issued_at: number | null;
  readonly expires_at: Date;
  readonly consumed_at: Date | null;
}

const HASH_BYTES = 32;
const KINDS: readonly TokenKind[] = ["access_token", "authorization_code", "refresh_token"];

const OWN_END = `CASE WHEN token.consumed_at IS NULL THEN token.expires_at
      ELSE least(token.expires_at, to_timestamp((token.payload ->> 'exp')::float8)) END`;

/** The lowest and the highest hash that begin with a prefix. */
export function hashesWith(prefix: HashPrefix): readonly [from: Buffer, through: Buffer] {
  const bytes = Buffer.from(prefix, "base64url");
  const rest = HASH_BYTES - bytes.length;
  return [Buffer.concat([bytes, Buffer.alloc(rest)]), Buffer.concat([bytes, Buffer.alloc(rest, 0xff)])];
}

/** The kind of a provider's model. */
export function kindOfModel(model: string): TokenKind {
  const kind = KINDS.find((each) => MODEL_OF[each] === model);
  if (kind === undefined) throw new TypeError(`unknown kind of token: ${model}`);
  return kind;
}

function readFacts(row: FactsRow): TokenFacts {
  const hashPrefix = parseHashPrefix(row.hash_prefix.toString("base64url"));
  if (hashPrefix === undefined) throw new TypeError("a stored token hash has the wrong length");
  return {
    kind: kindOfModel(row.kind),
    hashPrefix,
    consent: row.consent_id,
    application: row.application_id,
    issuedAt: row.issued_at === null ? undefined : new Date(row.issued_at * 1000),
    expiresAt: row.expires_at,
    usedAt: row.consumed_at ?? undefined,
  };
}

const keyValues = ({ consent, kind, hashPrefix }: TokenKey) => [
  consent,
  MODEL_OF[kind],
  hashesWith(hashPrefix)[1],
];

/**
 * The statement that answers a query. Only the first nine bytes of a hash leave the database. Tokens left on an ended
 * consent, because they were issued at that moment, do not count as active. A used code is kept for longer, but counts
 * only until its original end.
 */
export function tokenListStatement({ of, after, limit }: TokenQuestion): Statement {
  const [name, condition, id] =
    "consent" in of
      ? ["consent", "consent.id = $2", of.consent]
      : ["application", "consent.application_id = $2", of.application];
  const later =
    after === undefined
      ? ""
      : "AND consent.id >= $3 AND (consent.id, token.kind, token.id_hash) > ($3, $4, $5::bytea)";
  const text = `SELECT consent.id AS consent_id, consent.application_id, token.kind,
      substring(token.id_hash FROM 1 FOR 9) AS hash_prefix, (token.payload ->> 'iat')::float8 AS issued_at,
      ${OWN_END} AS expires_at, token.consumed_at
    FROM consent JOIN token ON token.grant_id = consent.id
    WHERE ${condition} AND consent.ended_at IS NULL AND ${OWN_END} > now() ${later}
    ORDER BY consent.id, token.kind, token.id_hash LIMIT $1`;
  const values = [limit, id, ...(after === undefined ? [] : keyValues(after))];
  return { name: `token-list-${name}${after === undefined ? "" : "-after"}`, text, values };
}

/** Makes the search of codes and tokens in PostgreSQL. */
export function createTokenSearch(queries: Queries): TokenSearch {
  return {
    list: async (question) => (await queries.run<FactsRow>(tokenListStatement(question))).map(readFacts),
  };
}
