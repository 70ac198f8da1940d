import { parseConsentId } from "../consent/consent-id.ts";
import { parseHashPrefix, type TokenFacts, type TokenKey, type TokenKind } from "../tokens/token-search.ts";
import type { ParameterKind } from "./parse-query.ts";

/** Presents a code or token in the operator API: facts about it, and 12 characters of its hash to name it by. */
export function presentToken(token: TokenFacts) {
  return {
    kind: token.kind,
    hashPrefix: token.hashPrefix,
    consentId: token.consent,
    applicationId: token.application,
    issuedAt: token.issuedAt?.toISOString() ?? null,
    expiresAt: token.expiresAt.toISOString(),
    usedAt: token.usedAt?.toISOString() ?? null,
  };
}

const KINDS: readonly TokenKind[] = ["access_token", "refresh_token", "authorization_code"];
const SEPARATOR = ".";

function findTokenKey(text: string): TokenKey | undefined {
  const [consentText, kindText, prefixText = "", ...more] = text.split(SEPARATOR);
  const consent = parseConsentId(consentText);
  const kind = KINDS.find((each) => each === kindText);
  const hashPrefix = parseHashPrefix(prefixText);
  if (consent === undefined || kind === undefined || hashPrefix === undefined || more.length > 0)
    return undefined;
  return { consent, kind, hashPrefix };
}

/** Position of a token in a list, as `next` gives it. */
export const TOKEN_KEY: ParameterKind<TokenKey> = {
  read: findTokenKey,
  must: "the `next` of the previous answer",
};

/** Presents the position after which the next page begins. */
export function presentTokenKey({ consent, kind, hashPrefix }: TokenKey): string {
  return [consent, kind, hashPrefix].join(SEPARATOR);
}
