import type { Route } from "@cobs/service-edge";
import type { ApplicationSearch } from "../../applications/application-search.ts";
import type { Act } from "../../audit/act.ts";
import type { ConsentId } from "../../consent/consent-id.ts";
import type { ConsentSearch } from "../../consent/consent-search.ts";
import { OperatorRefusal } from "../../operator-api/operator-refusal.ts";
import { APPLICATION, CONSENT } from "../../operator-api/parameter-kinds.ts";
import { pageOf, parseQuery, readPage } from "../../operator-api/parse-query.ts";
import { presentToken, presentTokenKey, TOKEN_KEY } from "../../operator-api/present-token.ts";
import { parseTokenRevocation } from "../../operator-api/revocation-order.ts";
import type { RevokedToken, RevokedTokens, TokenHolder } from "../../tokens/revoke-tokens-postgres.ts";
import type { HashPrefix, TokenQuestion, TokenSearch } from "../../tokens/token-search.ts";
import type { TppSearch } from "../../tpp/tpp-search.ts";
import { listed, requireFound } from "./operator-answers.ts";
import type { OperatorRoute } from "./operator-route.ts";

/** What orders about tokens need. */
export interface TokenOrderParts {
  readonly tokenSearch: TokenSearch;
  readonly applicationSearch: Pick<ApplicationSearch, "find">;
  readonly consentSearch: Pick<ConsentSearch, "find">;
  readonly tppSearch: Pick<TppSearch, "find">;
  readonly revokeTokensOf: (
    holder: TokenHolder & { readonly after?: ConsentId | undefined },
    act: Act,
  ) => Promise<RevokedTokens>;
  readonly revokeTokenByHash: (prefix: HashPrefix, act: Act) => Promise<RevokedToken>;
}

const TOKENS = "/operator/tokens";

/** Serves `/operator/tokens`: listing facts about tokens, never a token itself, and revoking them. */
export function createTokenRoutes(route: OperatorRoute, parts: TokenOrderParts): readonly Route[] {
  return [
    route("GET", TOKENS, async ({ query }) => {
      const { limit, ...asked } = parseTokenQuestion(query);
      const found = await parts.tokenSearch.list({ ...asked, limit: limit + 1 });
      const page = pageOf(found, limit, presentTokenKey);
      return listed("tokens", page, presentToken);
    }),
    route("POST", `${TOKENS}/revoke`, async ({ body }, act) => {
      const { of, after, reason } = parseTokenRevocation(body);
      const noted = { ...act, note: reason };
      if (of.kind === "hash") return revokeOne(parts, of.prefix, noted);
      const revoked = await parts.revokeTokensOf({ ...of, after }, noted);
      if (after === undefined && isNothing(revoked)) requireFound(await findHolder(parts, of));
      return { status: 200, json: revoked, facts: { revokedOf: of.id, ...revoked } };
    }),
  ];
}

function parseTokenQuestion(query: URLSearchParams): TokenQuestion {
  const { consent, application, ...page } = parseQuery(query, (read) => ({
    consent: read("consent", CONSENT),
    application: read("application", APPLICATION),
    ...readPage(read, TOKEN_KEY),
  }));
  if (consent !== undefined && application === undefined) return { of: { consent }, ...page };
  if (application !== undefined && consent === undefined) return { of: { application }, ...page };
  throw new OperatorRefusal("order_malformed", "exactly one of consent, application must be given");
}

function isNothing({ accessTokens, codes, complete }: RevokedTokens): boolean {
  return complete && accessTokens === 0 && codes === 0;
}

/**
 * Finds the holder, also one that has ended. Called only if nothing was revoked: an operator who mistypes an id would
 * otherwise believe that its tokens are gone.
 */
async function findHolder(parts: TokenOrderParts, of: TokenHolder): Promise<object | undefined> {
  switch (of.kind) {
    case "consent":
      return parts.consentSearch.find(of.id);
    case "application":
      return parts.applicationSearch.find(of.id);
    case "tpp":
      return parts.tppSearch.find(of.id);
  }
}

async function revokeOne({ revokeTokenByHash }: TokenOrderParts, prefix: HashPrefix, act: Act) {
  const revoked = await revokeTokenByHash(prefix, act);
  switch (revoked.result) {
    case "unknown":
      throw new OperatorRefusal("unknown", "no active code or token has this hash");
    case "ambiguous":
      throw new OperatorRefusal(
        "order_malformed",
        "several codes or tokens have a hash that begins with these 12 characters: revoke by consent",
      );
    case "revoked": {
      const { kind, consent: consentId } = revoked;
      return { status: 200, json: { kind, consentId }, facts: { revoked: kind, consentId } };
    }
  }
}
