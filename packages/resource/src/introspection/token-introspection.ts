/**
 * What the authorization server says about an access token. This folder owns asking auth (RFC 7662), verifying its answer
 * (RFC 9701) and remembering it for a moment; `admission` decides whether a call may proceed.
 *
 * The events of auth (`endings`) decide when something remembered is forgotten.
 */
import type { AccountId, ApplicationId, PsuId, Scope } from "@cobs/cobs-model";
import type { CertificateThumbprint, OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { OnBehalf } from "@cobs/service-edge";
import type { AccessToken } from "./access-token.ts";

/** The PSU's consent behind a token, as auth names it. */
export type ConsentId = string & { readonly brand: "ConsentId" };

/**
 * An access token that is meant for this resource server and bound to a certificate; whether it is the caller's is not
 * checked yet.
 */
export interface ActiveToken {
  readonly usable: true;
  readonly applicationId: ApplicationId;
  readonly psu: PsuId;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date;
  /** Thumbprint of the certificate that the token is bound to (RFC 8705 section 3.1). */
  readonly thumbprint: CertificateThumbprint;
  /** Organisation identifier of the TPP that the token was issued to. */
  readonly organisationIdentifier: OrganisationIdentifier;
  readonly consent: {
    readonly id: ConsentId;
    readonly accounts: readonly AccountId[];
    readonly services: readonly Scope[];
    /** When the PSU was strongly authenticated for the consent; undefined when auth does not say, and then counts as long ago. */
    readonly authenticatedAt: Date | undefined;
  };
}

/**
 * Why a token opens nothing here:
 * - `token_inactive`: unknown, expired, revoked, without its consent, or not an access token (RFC 7662 section 2.2)
 * - `token_wrong_audience`: issued for another resource server (RFC 8707 section 2)
 * - `token_not_bound`: bound to no certificate (RFC 8705 section 3)
 */
export const UNUSABLE_TOKEN_CODES = ["token_inactive", "token_wrong_audience", "token_not_bound"] as const;

/** One of {@link UNUSABLE_TOKEN_CODES}. */
export type UnusableTokenCode = (typeof UNUSABLE_TOKEN_CODES)[number];

/** A token that opens nothing here; `detail` is for the log. */
export interface UnusableToken {
  readonly usable: false;
  readonly code: UnusableTokenCode;
  readonly detail: string;
}

/** What is known about a token. */
export type TokenDescription = ActiveToken | UnusableToken;

/**
 * One answer of auth, with its time by auth's clock; `position` is that of the event feed before the token was looked up, if
 * auth named one.
 */
export interface IntrospectionAnswer {
  readonly description: TokenDescription;
  readonly answeredAt: Date;
  readonly position: number | undefined;
}

/** Asks auth about a token each time. Throws as {@link TokenIntrospection} does. */
export interface AskedIntrospection {
  describe(token: AccessToken, onBehalf?: OnBehalf): Promise<IntrospectionAnswer>;
}

/** The call that brought a token, and its TPP. */
export interface TokenBearer {
  readonly organisationIdentifier: OrganisationIdentifier;
  readonly call?: OnBehalf;
}

/**
 * Describes tokens, remembered ones at once. Throws `PrivateServiceUnavailable` when auth does not answer,
 * `IntrospectionRefusal` when its answer cannot be believed, `AllowanceUsedUp` when the TPP has sent too many unusable tokens,
 * and `ShareUsedUp` when it has sent too many new ones. After each of these nothing is known about the token.
 */
export interface TokenIntrospection {
  describe(token: AccessToken, bearer: TokenBearer): TokenDescription | Promise<TokenDescription>;
}
