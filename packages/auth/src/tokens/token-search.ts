import type { ApplicationId } from "@cobs/cobs-model";
import type { PageQuestion } from "@cobs/service-edge";
import type { ConsentId } from "../consent/consent-id.ts";

/** Kinds of codes and tokens issued under a consent. */
export type TokenKind = "access_token" | "refresh_token" | "authorization_code";

/** The provider's model of each kind. */
export const MODEL_OF: Readonly<Record<TokenKind, string>> = {
  access_token: "AccessToken",
  refresh_token: "RefreshToken",
  authorization_code: "AuthorizationCode",
};

/** The first 12 characters of a token's SHA-256 in base64url: enough to identify the token, too little to look it up. */
export type HashPrefix = string & { readonly brand: "HashPrefix" };

const PREFIX = /^[A-Za-z0-9_-]{12}$/;

/** Parses a prefix from outside, or takes it from a whole hash; undefined when the text is neither. */
export function parseHashPrefix(text: string): HashPrefix | undefined {
  const prefix = /^[A-Za-z0-9_-]{43}$/.test(text) ? text.slice(0, 12) : text;
  return PREFIX.test(prefix) ? (prefix as HashPrefix) : undefined;
}

/** Facts about a code or token; never its value, nor its whole hash. */
export interface TokenFacts {
  readonly kind: TokenKind;
  readonly hashPrefix: HashPrefix;
  readonly consent: ConsentId;
  readonly application: ApplicationId;
  readonly issuedAt: Date | undefined;
  readonly expiresAt: Date;
  /** When a code was redeemed. */
  readonly usedAt: Date | undefined;
}

/** Position of a token in the list. */
export type TokenKey = Pick<TokenFacts, "consent" | "kind" | "hashPrefix">;

/** Whose tokens to find, and which page of them. */
export interface TokenQuestion extends PageQuestion<TokenKey> {
  readonly of: { readonly consent: ConsentId } | { readonly application: ApplicationId };
}

/** Unexpired codes and tokens, sorted by consent, kind and hash; those of ended consents are gone. */
export interface TokenSearch {
  list(question: TokenQuestion): Promise<readonly TokenFacts[]>;
}
