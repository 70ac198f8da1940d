import type { Schema } from "../openapi-document.ts";
import { closedObject, FURTHER, PUBLIC_KEY } from "./texts.ts";

const BY_CLIENT: Readonly<Record<string, Schema>> = {
  client_id: {
    type: "string",
    description: "Id of the application; needed unless `Authorization: Basic` or the assertion names it.",
  },
  client_secret: { type: "string", description: "Of an application with a secret (`client_secret_post`)." },
  client_assertion_type: {
    type: "string",
    const: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    description: "Of an application with a key (`private_key_jwt`).",
  },
  client_assertion: {
    type: "string",
    description:
      "A JWT that the application signed: `iss` and `sub` its id, `aud` the issuer, `jti` new each time, `exp` soon (RFC 7523 section 3). Its `alg` is `ES256`, `EdDSA` or `PS256`, by the key (FAPI 2.0 5.4.1).",
  },
};

const RESOURCE: Schema = {
  type: "string",
  format: "uri",
  description: "The resource server (RFC 8707), which is the only one: as good as left out.",
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
  response_type: { ...CHOSEN.type, description: "The only kind." },
  response_mode: { ...CHOSEN.mode, description: "The only mode: as good as left out." },
  redirect_uri: { type: "string", description: "One of the registered addresses, character by character." },
  scope: {
    type: "string",
    description:
      "`aisp`, `pisp` or both with a space; when it is left out, all registered ones that the roles of the certificate cover.",
  },
  state: { type: "string", description: "Comes back unchanged; best a random value of the PSU's session." },
  code_challenge: { ...CHOSEN.challenge, description: "PKCE (RFC 7636); must be in profile `fapi2`." },
  code_challenge_method: {
    ...CHOSEN.method,
    description: "The only method; needed with `code_challenge`.",
  },
  prompt: { ...CHOSEN.prompt, description: "As good as left out: every request asks the PSU for both." },
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
    description: "Whether every application must; one of profile `fapi2` always must.",
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
    description: "Each field once; `code` needs `redirect_uri`.",
    properties: {
      grant_type: { type: "string", enum: ["authorization_code", "refresh_token"] },
      code: {
        type: "string",
        description: "The code that came back; it works once, and ends its consent when it is sent again.",
      },
      redirect_uri: { type: "string", description: "The same as in the authorization request." },
      code_verifier: {
        type: "string",
        description: "Where the authorization request had a `code_challenge`.",
      },
      refresh_token: { type: "string", description: "Stays the same until the consent ends (A-24)." },
      scope: { type: "string", description: "Fewer scopes than were consented to, at a refresh." },
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
        description: "For how many seconds the access token works.",
      },
      token_type: { type: "string", const: "Bearer" },
      scope: {
        type: "string",
        description:
          "What the access token is for: what the PSU has consented to, as far as the roles of the certificate cover it, and at a refresh no more than was asked for.",
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
        description: "Id of the application, also beside `Authorization: Basic` or an assertion.",
      },
    },
  },
  PushedAnswer: closedObject(
    {
      request_uri: { type: "string", pattern: "^urn:ietf:params:oauth:request_uri:" },
      expires_in: { type: "integer", minimum: 1, description: "For how many seconds it can be begun." },
    },
    { description: "The reference to the request (RFC 9126 2.2)." },
  ),
  RevocationRequest: {
    type: "object",
    required: ["token"],
    properties: {
      token: {
        type: "string",
        description: "An access token, or a refresh token with all of its access tokens.",
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
