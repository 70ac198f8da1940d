import type { ApplicationId } from "@cobs/cobs-model";
import type { PageQuestion } from "@cobs/service-edge";
import type { ConsentId } from "../consent/consent-id.ts";

/** What was given out under a consent. */
export type TokenKind = "access_token" | "refresh_token" | "authorization_code";

/** The kinds, as the provider names them. */
export const MODEL_OF: Readonly<Record<TokenKind, string>> = {
  access_token: "AccessToken",
  refresh_token: "RefreshToken",
  authorization_code: "AuthorizationCode",
};

/** The first 12 characters of the SHA-256 of a token in base64url: enough to name it, and nothing to look it up with. */
export type HashPrefix = string & { readonly brand: "HashPrefix" };

const PREFIX = /^[A-Za-z0-9_-]{12}$/;

/** Takes a prefix from outside, or from the whole hash; undefined when it is neither. */
export function parseHashPrefix(text: string): HashPrefix | undefined {
  const prefix = /^[A-Za-z0-9_-]{43}$/.test(text) ? text.slice(0, 12) : text;
  return PREFIX.test(prefix) ? (prefix as HashPrefix) : undefined;
}

/** What is known of a code or token; never what its holder presents, nor the whole hash of it. */
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

/** The place of a token in the list. */
export type TokenKey = Pick<TokenFacts, "consent" | "kind" | "hashPrefix">;

/** Whose tokens are looked for, and which page of them. */
export interface TokenQuestion extends PageQuestion<TokenKey> {
  readonly of: { readonly consent: ConsentId } | { readonly application: ApplicationId };
}

/** Codes and tokens that have not run out, by consent, kind and hash. Those of a consent that has ended are gone. */
export interface TokenSearch {
  list(question: TokenQuestion): Promise<readonly TokenFacts[]>;
}
