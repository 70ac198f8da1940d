import type { ApplicationId } from "./opaque-ids.ts";
import type { PublicJwks } from "./public-jwks.ts";
import type { RedirectUri } from "./redirect-uri.ts";

/** `web` runs on the TPP's server, `native` on the PSU's device (COBS PDF 1.4.1.1). */
export const APPLICATION_TYPES = ["web", "native"] as const;

export type ApplicationType = (typeof APPLICATION_TYPES)[number];

/** The OAuth scopes of COBS: account information and payment initiation (PDF 1.4.3). */
export const SCOPES = ["aisp", "pisp"] as const;

export type Scope = (typeof SCOPES)[number];

/** How an application authenticates at the token endpoint (RFC 7591 section 2, RFC 8705 section 2). */
export const TOKEN_ENDPOINT_AUTH_METHODS = [
  "client_secret_post",
  "client_secret_basic",
  "private_key_jwt",
  "tls_client_auth",
] as const;

export type TokenEndpointAuthMethod = (typeof TOKEN_ENDPOINT_AUTH_METHODS)[number];

/** The application's name in another language; `language` is a tag of RFC 5646, as sent. */
export type LocalizedName = { readonly language: string; readonly name: string };

/** What a TPP states about an application when it registers or updates it (COBS PDF 1.4.1.1); null if not stated. */
export type ApplicationRegistration = {
  readonly applicationType: ApplicationType;
  readonly redirectUris: readonly RedirectUri[];
  readonly clientName: string;
  readonly localizedNames: readonly LocalizedName[];
  readonly logoUri: string | null;
  readonly contact: string | null;
  /** Without repetition; null leaves the choice to the roles of the certificate. */
  readonly scopes: readonly Scope[] | null;
  readonly tokenEndpointAuthMethod: TokenEndpointAuthMethod | null;
  /** Public keys that verify its signatures; also null if they are at `jwksUri`. */
  readonly jwks: PublicJwks | null;
  /** URL at which the TPP publishes these keys: https, at most 2,047 bytes. Never beside `jwks` (RFC 7591 section 2). */
  readonly jwksUri: string | null;
};

/** A registered application, without its secret and without its owner. */
export type Application = ApplicationRegistration & {
  readonly id: ApplicationId;
  readonly scopes: readonly Scope[];
};
