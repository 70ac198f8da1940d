import type { Application } from "./application.ts";
import type { ApplicationId } from "./opaque-ids.ts";
import { securityProfileOf } from "./security-profile.ts";

/** The secret of an application never expires by itself (COBS PDF 1.4.1.1). */
const NEVER = 0;
const NO_API_KEY = "NOT_PROVIDED";

/** Members of every answer about an application; those that were not registered are left out. */
export type ApplicationFields = { readonly client_id: string } & Readonly<Record<string, unknown>>;

/** Writes the answer of `GET /applications/{id}` (COBS PDF 1.4.1.2), without the secret, which is shown only once. */
export function presentApplication(application: Application): ApplicationFields {
  return { ...presentUpdatedApplication(application), api_key: NO_API_KEY };
}

/** Writes the answer of `GET /applications`: a bare array, empty when there are none. */
export function presentApplicationList(applications: readonly Application[]): readonly ApplicationFields[] {
  return applications.map(presentApplication);
}

/** Writes the answer of `POST /applications` (COBS PDF 1.4.1.1), with the secret in clear when it has one. */
export function presentCreatedApplication(
  application: Application,
  secret: string | null,
): ApplicationFields {
  const fields = presentApplication(application);
  return secret === null ? fields : { ...fields, ...presentRenewedSecret(application.id, secret) };
}

/** Writes the answer of `PUT /applications/{id}` (COBS PDF 1.4.1.3): no secret, no API key. */
export function presentUpdatedApplication(application: Application): ApplicationFields {
  return {
    client_id: application.id,
    ...presentSecretEnd(application),
    applicationType: application.applicationType,
    client_name: application.clientName,
    ...Object.fromEntries(
      application.localizedNames.map((each) => [`client_name#${each.language}`, each.name]),
    ),
    redirect_uris: application.redirectUris,
    scopes: application.scopes,
    ...(application.logoUri === null ? {} : { logo_uri: application.logoUri }),
    ...(application.contact === null ? {} : { contact: application.contact }),
    ...presentAuthentication(application),
  };
}

/** Writes the answer of `POST /applications/{id}/renewSecret` (COBS PDF 1.4.1.5), with the new secret in clear. */
export function presentRenewedSecret(id: ApplicationId, secret: string): ApplicationFields {
  return { client_id: id, client_secret: secret, client_secret_expires_at: NEVER };
}

/** Writes the answer of `POST /applications/{id}/renewKey` (COBS PDF 1.4.1.6): there are no API keys here. */
export function presentRenewedKey(id: ApplicationId): ApplicationFields {
  return { client_id: id, api_key: NO_API_KEY };
}

/** Only an application with a secret is told that the secret does not expire (RFC 7591 3.2.1). */
function presentSecretEnd(application: Application) {
  return securityProfileOf(application) === "cobs" ? { client_secret_expires_at: NEVER } : {};
}

/** The profile is reported, never accepted as input: it follows from the method. */
function presentAuthentication(application: Application) {
  const { tokenEndpointAuthMethod, jwks, jwksUri } = application;
  return {
    ...(tokenEndpointAuthMethod === null ? {} : { token_endpoint_auth_method: tokenEndpointAuthMethod }),
    ...(jwks === null ? {} : { jwks }),
    ...(jwksUri === null ? {} : { jwks_uri: jwksUri }),
    security_profile: securityProfileOf(application),
  };
}
