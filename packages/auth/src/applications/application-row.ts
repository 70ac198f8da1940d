import type {
  ApplicationId,
  ApplicationRegistration,
  ApplicationType,
  LocalizedName,
  RedirectUri,
  Scope,
} from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { RegisteredApplication } from "./application.ts";
import type { ApplicationCredentials } from "./application-store.ts";

/** An application as PostgreSQL gives it. */
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
  readonly secret_hash: string;
  readonly access_token_lifetime_seconds: number | null;
}

/** The columns of an {@link ApplicationRow}. */
export const APPLICATION_COLUMNS = `id, owner, application_type, redirect_uris, client_name, localized_names,
  logo_uri, contact, scopes, token_endpoint_auth_method, secret_hash, access_token_lifetime_seconds`;

/** What a TPP decides of an application, as the values of its columns in the order of {@link APPLICATION_COLUMNS}. */
export function registrationValues(registration: ApplicationRegistration): readonly unknown[] {
  return [
    registration.applicationType,
    registration.redirectUris,
    registration.clientName,
    JSON.stringify(registration.localizedNames),
    registration.logoUri,
    registration.contact,
    registration.scopes,
    registration.tokenEndpointAuthMethod,
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
    accessTokenLifetimeSeconds: row.access_token_lifetime_seconds,
  };
  return { application, secretHash: row.secret_hash };
}
