import type {
  ApplicationId,
  ApplicationType,
  LocalizedName,
  PublicJwks,
  RedirectUri,
  Scope,
} from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { RegisteredApplication } from "./application.ts";
import type { ApplicationCredentials, DecidedRegistration } from "./application-store.ts";

/** An application as PostgreSQL returns it. */
export interface ApplicationRow {
  readonly id: ApplicationId;
  readonly owner: OrganisationIdentifier;
  readonly application_type: ApplicationType;
  readonly redirect_uris: readonly RedirectUri[];
  readonly client_name: string;
  readonly localized_names: readonly LocalizedName[];
  readonly logo_uri: string | null;
  readonly contact: string | null;
  readonly scopes: readonly Scope[];
  readonly token_endpoint_auth_method: RegisteredApplication["tokenEndpointAuthMethod"];
  readonly jwks: PublicJwks | null;
  readonly jwks_uri: string | null;
  readonly secret_hash: string | null;
  readonly former_secret_hash: string | null;
  readonly access_token_lifetime_seconds: number | null;
  readonly version: string;
}

/** The columns of an {@link ApplicationRow}; a former secret past its time reads as null. */
export const APPLICATION_COLUMNS = `id, owner, application_type, redirect_uris, client_name, localized_names,
  logo_uri, contact, scopes, token_endpoint_auth_method, jwks, jwks_uri, secret_hash,
  CASE WHEN former_secret_until > now() THEN former_secret_hash END AS former_secret_hash,
  access_token_lifetime_seconds, version`;

/** The values of the columns that a TPP decides, in the order of {@link APPLICATION_COLUMNS}. */
export function registrationValues(registration: DecidedRegistration): readonly unknown[] {
  return [
    registration.applicationType,
    registration.redirectUris,
    registration.clientName,
    JSON.stringify(registration.localizedNames),
    registration.logoUri,
    registration.contact,
    registration.scopes,
    registration.tokenEndpointAuthMethod,
    registration.jwks && JSON.stringify(registration.jwks),
    registration.jwksUri,
  ];
}

/** Reads a row. */
export function readCredentials(row: ApplicationRow): ApplicationCredentials {
  const application = {
    id: row.id,
    owner: row.owner,
    applicationType: row.application_type,
    redirectUris: row.redirect_uris,
    clientName: row.client_name,
    localizedNames: row.localized_names,
    logoUri: row.logo_uri,
    contact: row.contact,
    scopes: row.scopes,
    tokenEndpointAuthMethod: row.token_endpoint_auth_method,
    jwks: row.jwks,
    jwksUri: row.jwks_uri,
    accessTokenLifetimeSeconds: row.access_token_lifetime_seconds,
    version: row.version,
  };
  return { application, secretHash: row.secret_hash, formerSecretHash: row.former_secret_hash };
}
