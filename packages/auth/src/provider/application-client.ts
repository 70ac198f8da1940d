/** Converts an application to the provider's client, and back. Trap: the provider calls the secret's hash `client_secret`. */

import {
  type PublicJwks,
  SCOPES,
  type Scope,
  type SecurityProfile,
  securityProfileOf,
} from "@cobs/cobs-model";
import type { AdapterPayload, Client, ClientMetadata } from "oidc-provider";
import type { RegisteredApplication } from "../applications/application.ts";
import type { ApplicationCredentials } from "../applications/application-store.ts";

/** Members that this server adds to a client. */
export const APPLICATION_MEMBERS = [
  "cobs_owner",
  "cobs_scopes",
  "cobs_access_token_lifetime_seconds",
  "cobs_former_secret_hash",
];

/** The subject that the provider compares for a TPP: made from its organisation identifier, not the certificate's own. */
export function subjectOf(organisationIdentifier: string): string {
  return `organizationIdentifier=${organisationIdentifier}`;
}

/** How an application authenticates; one with a secret may send it in either way (RFC 6749 2.3.1). */
function authenticationOf(
  { application, secretHash, formerSecretHash }: ApplicationCredentials,
  keys: PublicJwks | undefined,
): Partial<ClientMetadata> {
  switch (application.tokenEndpointAuthMethod) {
    case "private_key_jwt":
      return {
        token_endpoint_auth_method: "private_key_jwt",
        // Never `jwks_uri`: the provider would fetch it without our guard.
        jwks: { keys: [...(keys?.keys ?? [])] },
      };
    case "tls_client_auth":
      return {
        token_endpoint_auth_method: "tls_client_auth",
        tls_client_auth_subject_dn: subjectOf(application.owner),
      };
    default:
      return {
        token_endpoint_auth_method: "client_secret_post",
        ...(secretHash !== null && { client_secret: secretHash }),
        ...(formerSecretHash !== null && { cobs_former_secret_hash: formerSecretHash }),
      };
  }
}

/** The provider's metadata for an application, with the keys that verify its assertions now. */
export function clientOf(credentials: ApplicationCredentials, keys: PublicJwks | undefined): AdapterPayload {
  const { application } = credentials;
  return {
    client_id: application.id,
    client_name: application.clientName,
    application_type: application.applicationType,
    redirect_uris: [...application.redirectUris],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    response_modes: ["query"],
    ...authenticationOf(credentials, keys),
    require_pushed_authorization_requests: securityProfileOf(application) === "fapi2",
    tls_client_certificate_bound_access_tokens: true,
    ...ownMembers(application),
  };
}

/** The client of an introspected token. The provider only needs it to exist; nobody authenticates with it. */
export function clientOfToken(id: string): AdapterPayload {
  return {
    client_id: id,
    token_endpoint_auth_method: "tls_client_auth",
    tls_client_auth_subject_dn: "nobody",
    redirect_uris: [],
    grant_types: [],
    response_types: [],
  };
}

function ownMembers(application: RegisteredApplication) {
  const seconds = application.accessTokenLifetimeSeconds;
  return {
    cobs_owner: application.owner,
    cobs_scopes: application.scopes.join(" "),
    ...(seconds === null ? {} : { cobs_access_token_lifetime_seconds: seconds }),
  };
}

/**
 * The client of a bank service that may introspect. It authenticates with its certificate under the private CA
 * (RFC 8705 2.1).
 */
export function bankClientOf(name: string): ClientMetadata {
  return {
    client_id: name,
    token_endpoint_auth_method: "tls_client_auth",
    tls_client_auth_subject_dn: `CN=${name}`,
    introspection_signed_response_alg: "ES256",
    redirect_uris: [],
    grant_types: [],
    response_types: [],
  };
}

/** The organisation identifier of the TPP that owns a client's application; undefined for a service of the bank. */
export function ownerOf(client: Client): string | undefined {
  const owner = client.cobs_owner;
  return typeof owner === "string" ? owner : undefined;
}

/** Whether an address is exactly one of the redirect URIs that a client has registered now (RFC 9700 4.1.3). */
export function isReturnAddress(client: Client, address: unknown): address is string {
  return typeof address === "string" && client.redirectUriAllowed(address);
}

/** Whether a client's application has profile fapi2 (FAPI 2.0 Security Profile). */
export function isFapi2(client: Client): boolean {
  return ownerOf(client) !== undefined && client.requirePushedAuthorizationRequests === true;
}

/** The security profile of a client's application. */
export function profileOf(client: Client): SecurityProfile {
  return isFapi2(client) ? "fapi2" : "cobs";
}

/** The hashes of the secrets that a client may send: the present one, and the former one during the overlap. */
export function secretHashesOf(client: Client): readonly string[] {
  const former = client.cobs_former_secret_hash;
  return [client.clientSecret ?? "", ...(typeof former === "string" ? [former] : [])];
}

/** The scopes that a client's application registered. */
export function registeredScopesOf(client: Client): readonly Scope[] {
  const scopes = typeof client.cobs_scopes === "string" ? client.cobs_scopes.split(" ") : [];
  return SCOPES.filter((scope) => scopes.includes(scope));
}

/** The lifetime of access tokens that the sandbox gave an application, in seconds. */
export function ownLifetimeOf(client: Client): number | undefined {
  const seconds = client.cobs_access_token_lifetime_seconds;
  return typeof seconds === "number" ? seconds : undefined;
}
