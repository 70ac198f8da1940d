import type { Schema } from "../openapi-document.ts";
import { closedObject, FURTHER, PUBLIC_KEY } from "./texts.ts";

const BY_CLIENT: Readonly<Record<string, Schema>> = {
  client_id: {
    type: "string",
    description: "Id of the application. Required unless `Authorization: Basic` or the assertion names it.",
  },
  client_secret: {
    type: "string",
    description: "Secret, from an application that has one (`client_secret_post`).",
  },
  client_assertion_type: {
    type: "string",
    const: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    description: "Sent by an application that has a key (`private_key_jwt`).",
  },
  client_assertion: {
    type: "string",
    description:
      "A JWT that the application has signed: `iss` and `sub` are its id, `aud` is the issuer, `jti` is new each time, and `exp` is soon (RFC 7523 section 3). `alg` is `ES256`, `EdDSA` or `PS256`, depending on the key (FAPI 2.0 5.4.1).",
  },
};

const RESOURCE: Schema = {
  type: "string",
  format: "uri",
  description: "The resource server (RFC 8707). There is only one, so you may leave it out.",
};

/** Members of an authorization request with only a few possible values, pushed or not. */
export const CHOSEN: Readonly<Record<"type" | "mode" | "challenge" | "method" | "prompt", Schema>> = {
  type: { type: "string", const: "code" },
  mode: { type: "string", const: "query" },
  challenge: { type: "string", pattern: "^[A-Za-z0-9_-]{43}$" },
  method: { type: "string", const: "S256" },
  prompt: { type: "string", pattern: "^(login|consent|login consent|consent login)$" },
};

const AUTHORIZATION: Readonly<Record<string, Schema>> = {
  response_type: { ...CHOSEN.type, description: "The only response type." },
  response_mode: { ...CHOSEN.mode, description: "The only mode, and the default." },
  redirect_uri: { type: "string", description: "One of the registered addresses, equal in every character." },
  scope: {
    type: "string",
    description:
      "`aisp`, `pisp`, or both separated by a space. Without it, you get all registered scopes that the roles of the certificate cover.",
  },
  state: {
    type: "string",
    description: "Returned unchanged. Preferably a random value tied to the PSU's session.",
  },
  code_challenge: { ...CHOSEN.challenge, description: "PKCE (RFC 7636); required in profile `fapi2`." },
  code_challenge_method: {
    ...CHOSEN.method,
    description: "The only method; required with `code_challenge`.",
  },
  prompt: { ...CHOSEN.prompt, description: "Has no effect: every request asks the PSU for both." },
  ui_locales: { type: "string", description: "Languages of the pages, by preference: `cs`, `en`." },
  resource: RESOURCE,
};

const ADDRESS: Schema = { type: "string", format: "uri" };
const NAMES: Schema = { type: "array", items: { type: "string" } };
const ENDPOINTS: Readonly<Record<string, Schema>> = {
  token_endpoint: ADDRESS,
  revocation_endpoint: ADDRESS,
  pushed_authorization_request_endpoint: ADDRESS,
};

const METADATA: Readonly<Record<string, Schema>> = {
  issuer: ADDRESS,
  authorization_endpoint: ADDRESS,
  ...ENDPOINTS,
  mtls_endpoint_aliases: { ...closedObject(ENDPOINTS), additionalProperties: FURTHER },
  jwks_uri: ADDRESS,
  scopes_supported: NAMES,
  response_types_supported: NAMES,
  response_modes_supported: NAMES,
  grant_types_supported: NAMES,
  token_endpoint_auth_methods_supported: NAMES,
  token_endpoint_auth_signing_alg_values_supported: NAMES,
  revocation_endpoint_auth_methods_supported: NAMES,
  revocation_endpoint_auth_signing_alg_values_supported: NAMES,
  require_pushed_authorization_requests: {
    type: "boolean",
    description: "Whether every application must push its requests. One in profile `fapi2` always must.",
  },
  code_challenge_methods_supported: NAMES,
  tls_client_certificate_bound_access_tokens: { type: "boolean", const: true },
  authorization_response_iss_parameter_supported: { type: "boolean" },
  request_parameter_supported: { type: "boolean" },
  request_uri_parameter_supported: { type: "boolean" },
  claims_parameter_supported: { type: "boolean" },
  ui_locales_supported: NAMES,
};

/** Schemas of OAuth (COBS 1.4.3 to 1.4.6). */
export const OAUTH_SCHEMAS: Readonly<Record<string, Schema>> = {
  TokenRequest: {
    type: "object",
    required: ["grant_type"],
    description: "Each field comes once; `code` requires `redirect_uri`.",
    properties: {
      grant_type: { type: "string", enum: ["authorization_code", "refresh_token"] },
      code: {
        type: "string",
        description:
          "The code that the browser returned. It works once, and ends its consent when it is sent again.",
      },
      redirect_uri: { type: "string", description: "The same as in the authorization request." },
      code_verifier: {
        type: "string",
        description: "Required if the authorization request had a `code_challenge`.",
      },
      refresh_token: { type: "string", description: "Stays the same until the consent ends (A-24)." },
      scope: { type: "string", description: "At a refresh, asks for fewer scopes than the consent has." },
      resource: RESOURCE,
      ...BY_CLIENT,
    },
  },
  TokenAnswer: {
    type: "object",
    description: "Tokens, bound to your certificate (RFC 8705).",
    required: ["access_token", "expires_in", "token_type"],
    properties: {
      access_token: { type: "string", description: "For the header `Authorization: Bearer`." },
      refresh_token: { type: "string", description: "For new access tokens." },
      expires_in: {
        type: "integer",
        minimum: 1,
        description: "Seconds for which the access token is valid.",
      },
      token_type: { type: "string", const: "Bearer" },
      scope: {
        type: "string",
        description:
          "Scopes of the access token: those that the PSU has consented to and that the roles of the certificate cover; at a refresh, no more than you asked for.",
      },
    },
    additionalProperties: FURTHER,
  },
  PushedRequest: {
    type: "object",
    required: ["response_type", "redirect_uri", "client_id"],
    description: "An authorization request (RFC 9126 2.1).",
    properties: {
      ...AUTHORIZATION,
      ...BY_CLIENT,
      client_id: {
        type: "string",
        description: "Id of the application, required even with `Authorization: Basic` or an assertion.",
      },
    },
  },
  PushedAnswer: closedObject(
    {
      request_uri: { type: "string", pattern: "^urn:ietf:params:oauth:request_uri:" },
      expires_in: {
        type: "integer",
        minimum: 1,
        description: "Seconds within which the authorization must begin.",
      },
    },
    { description: "A reference to the request (RFC 9126 2.2)." },
  ),
  RevocationRequest: {
    type: "object",
    required: ["token"],
    properties: {
      token: {
        type: "string",
        description: "An access token; or a refresh token, which ends with all of its access tokens.",
      },
      token_type_hint: { type: "string", enum: ["access_token", "refresh_token"] },
      ...BY_CLIENT,
    },
  },
  KeySet: {
    type: "object",
    required: ["keys"],
    properties: { keys: { type: "array", items: PUBLIC_KEY } },
    additionalProperties: FURTHER,
    description: "Public keys of the bank (RFC 7517).",
  },
  ServerMetadata: {
    ...closedObject(METADATA, {
      description: "What this authorization server can do (RFC 8414 section 2).",
    }),
    additionalProperties: FURTHER,
  },
  InterfaceDocument: {
    type: "object",
    required: ["openapi", "info", "paths"],
    properties: {
      openapi: { type: "string", const: "3.1.0" },
      info: { type: "object", additionalProperties: FURTHER },
      paths: { type: "object", additionalProperties: FURTHER },
    },
    additionalProperties: FURTHER,
    description: "An OpenAPI document.",
  },
};
