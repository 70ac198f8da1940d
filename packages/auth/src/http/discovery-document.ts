import { LANGUAGES, type Scope } from "@cobs/cobs-model";
import type { InterfaceHosts } from "@cobs/cobs-model/openapi";

const BY_KEY_OR_CERTIFICATE = ["private_key_jwt", "tls_client_auth"];
const BY_SECRET = ["client_secret_post", "client_secret_basic"];
const ASSERTION_ALGORITHMS = ["ES256", "PS256", "EdDSA"];

/**
 * How applications authenticate. An application with a secret can always revoke its tokens, even if the bank now
 * requires fapi2.
 */
function presentAuthentication(fapi2Required: boolean) {
  const all = [...BY_SECRET, ...BY_KEY_OR_CERTIFICATE];
  return {
    token_endpoint_auth_methods_supported: fapi2Required ? BY_KEY_OR_CERTIFICATE : all,
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: all,
    revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
  };
}

/**
 * Presents the metadata of this authorization server (RFC 8414 section 2, RFC 8705 section 5, RFC 9126 section 5,
 * RFC 9207 section 3), by what the bank offers and requires now. The client endpoints are given under the API host in both places,
 * because applications cannot use them elsewhere. Introspection and registration are left out: metadata cannot describe
 * them so that an OAuth client of this server could use them.
 */
export function presentDiscovery(
  { issuer, authApi }: InterfaceHosts,
  fapi2Required: boolean,
  offeredScopes: readonly Scope[],
): Readonly<Record<string, unknown>> {
  const aliases = {
    token_endpoint: `${authApi}/oauth/token`,
    revocation_endpoint: `${authApi}/oauth/revoke`,
    pushed_authorization_request_endpoint: `${authApi}/oauth/par`,
  };
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    ...aliases,
    mtls_endpoint_aliases: aliases,
    jwks_uri: `${issuer}/oauth/jwks`,
    scopes_supported: offeredScopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    ...presentAuthentication(fapi2Required),
    // True only when the bank requires fapi2; an application of that profile must always push (RFC 9126 6).
    require_pushed_authorization_requests: fapi2Required,
    code_challenge_methods_supported: ["S256"],
    tls_client_certificate_bound_access_tokens: true,
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    // If missing, it would mean true (OpenID Connect Discovery 3). A pushed request's reference is not such an
    // address.
    request_uri_parameter_supported: false,
    claims_parameter_supported: false,
    ui_locales_supported: LANGUAGES,
  };
}
