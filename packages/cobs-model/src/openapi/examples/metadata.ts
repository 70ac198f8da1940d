import { SCOPES } from "../../application.ts";
import { LANGUAGES } from "../../language.ts";
import type { Json } from "../openapi-document.ts";

const ISSUER = "https://bank.example";
const API = "https://api.bank.example";
const ENDPOINTS = {
  token_endpoint: `${API}/oauth/token`,
  revocation_endpoint: `${API}/oauth/revoke`,
  pushed_authorization_request_endpoint: `${API}/oauth/par`,
};
const METHODS = ["client_secret_post", "client_secret_basic", "private_key_jwt", "tls_client_auth"];
const ALGORITHMS = ["ES256", "PS256", "EdDSA"];

/** Metadata of an authorization server that also accepts applications with a secret (RFC 8414). */
export const METADATA_EXAMPLE: Json = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/oauth/authorize`,
  ...ENDPOINTS,
  mtls_endpoint_aliases: ENDPOINTS,
  jwks_uri: `${ISSUER}/oauth/jwks`,
  scopes_supported: SCOPES,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: METHODS,
  token_endpoint_auth_signing_alg_values_supported: ALGORITHMS,
  revocation_endpoint_auth_methods_supported: METHODS,
  revocation_endpoint_auth_signing_alg_values_supported: ALGORITHMS,
  require_pushed_authorization_requests: false,
  code_challenge_methods_supported: ["S256"],
  tls_client_certificate_bound_access_tokens: true,
  authorization_response_iss_parameter_supported: true,
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
  claims_parameter_supported: false,
  ui_locales_supported: LANGUAGES,
};

/** Keys of a bank that has one; the private part was discarded. */
export const KEY_SET_EXAMPLE: Json = {
  keys: [
    {
      kty: "EC",
      crv: "P-256",
      x: "ak1ROPZfKSrSZblr8TBwvStL9yCtRJG7LfAV3zLYTPg",
      y: "oz1QB5eUkFkma3rjUjHvEfABvDLxY2A21JiTtvOvk0A",
      use: "sig",
      alg: "ES256",
      kid: "sGUAgKYJXuVCsig6g2AGz5jsfL5RnBzCSVVavoMkep4",
    },
  ],
};
