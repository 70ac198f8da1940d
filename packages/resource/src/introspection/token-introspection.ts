/**
 * What the authorization server says about an access token. This folder owns asking it (RFC 7662), believing it
 * (RFC 9701) and remembering it for a moment; whether a call may proceed is decided in `admission`.
 *
 * What auth tells by itself (`endings`) is the reason to forget what is remembered.
 */
import type { AccountId, ApplicationId, PsuId, Scope } from "@cobs/cobs-model";
import type { CertificateThumbprint, OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { OnBehalf } from "@cobs/service-edge";
import type { AccessToken } from "./access-token.ts";

/** The PSU's consent behind a token, as auth names it. */
export type ConsentId = string & { readonly brand: "ConsentId" };

/** An access token that is meant for this resource server and tied to a certificate; whose certificate is not yet checked. */
export interface ActiveToken {
  readonly usable: true;
  readonly applicationId: ApplicationId;
  readonly psu: PsuId;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date;
  /** Of the certificate that the token is bound to (RFC 8705 section 3.1). */
  readonly thumbprint: CertificateThumbprint;
  /** Of the TPP that the token was issued to. */
  readonly organisationIdentifier: OrganisationIdentifier;
  readonly consent: {
    readonly id: ConsentId;
    readonly accounts: readonly AccountId[];
    readonly services: readonly Scope[];
    /** When the PSU was authenticated strongly for it; undefined when auth does not say, which is long ago. */
    readonly authenticatedAt: Date | undefined;
  };
}

/**
 * Why a token opens nothing here:
 * - `token_inactive`: unknown, expired, revoked, its consent ended, or no access token at all (RFC 7662 section 2.2)
 * - `token_wrong_audience`: issued for another resource server (RFC 8707 section 2)
 * - `token_not_bound`: tied to no certificate (RFC 8705 section 3)
 */
export type UnusableTokenCode = "token_inactive" | "token_wrong_audience" | "token_not_bound";

/** A token that opens nothing here; `detail` is for the log. */
export interface UnusableToken {
  readonly usable: false;
  readonly code: UnusableTokenCode;
  readonly detail: string;
}

/** What is known of a token. */
export type TokenDescription = ActiveToken | UnusableToken;

/**
 * What auth answered once, and when by its own clock; `position` is that of the event feed before the token was looked up,
 * if auth named one.
 */
export interface IntrospectionAnswer {
  readonly description: TokenDescription;
  readonly answeredAt: Date;
  readonly position: number | undefined;
}

/** Asks auth about a token, each time. Throws as {@link TokenIntrospection} does. */
export interface AskedIntrospection {
  describe(token: AccessToken, onBehalf?: OnBehalf): Promise<IntrospectionAnswer>;
}

/** The call that brought a token, and the TPP whose call it is. */
export interface TokenBearer {
  readonly organisationIdentifier: OrganisationIdentifier;
  readonly call?: OnBehalf;
}

/**
 * Describes tokens, those that are remembered at once. Throws `PrivateServiceUnavailable` when auth does not answer,
 * `IntrospectionRefusal` when its answer cannot be believed, `AllowanceUsedUp` when the TPP has sent too many unusable ones;
 * all mean that nothing is known about the token.
 */
export interface TokenIntrospection {
  describe(token: AccessToken, bearer: TokenBearer): TokenDescription | Promise<TokenDescription>;
}
