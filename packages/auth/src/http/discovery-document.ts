/** Where the endpoints are, without a slash at the end. */
export interface EndpointHosts {
  /** The browser host. */
  readonly issuer: string;
  /** The API host, which asks for a certificate. */
  readonly mutualTls: string;
}

/**
 * The metadata of this authorization server (RFC 8414 section 2, RFC 8705 section 5). The token and revocation
 * endpoints are given under the API host in both places, because no application can use them elsewhere. Nothing is
 * told of introspection and registration, which no OAuth client of this server can use by what metadata can say.
 */
export function presentDiscovery({ issuer, mutualTls }: EndpointHosts): Readonly<Record<string, unknown>> {
  const aliases = {
    token_endpoint: `${mutualTls}/oauth/token`,
    revocation_endpoint: `${mutualTls}/oauth/revoke`,
  };
  const clientAuthentication = ["client_secret_post", "client_secret_basic"];
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    ...aliases,
    mtls_endpoint_aliases: aliases,
    jwks_uri: `${issuer}/oauth/jwks`,
    scopes_supported: ["aisp", "pisp"],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: clientAuthentication,
    revocation_endpoint_auth_methods_supported: clientAuthentication,
    code_challenge_methods_supported: ["S256"],
    tls_client_certificate_bound_access_tokens: true,
    authorization_response_iss_parameter_supported: true,
    // Left out, it would mean true (OpenID Connect Discovery 3).
    request_uri_parameter_supported: false,
    ui_locales_supported: ["cs", "en"],
  };
}
