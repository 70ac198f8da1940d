import { APPLICATION_TYPES, SCOPES, TOKEN_ENDPOINT_AUTH_METHODS } from "../../application.ts";
import type { Schema } from "../openapi-document.ts";
import { schemaOf } from "../references.ts";
import { closedObject, PUBLIC_KEY } from "./texts.ts";

const SIGNING_KEY: Schema = {
  ...PUBLIC_KEY,
  properties: {
    kty: { type: "string", enum: ["EC", "OKP", "RSA"], description: "Kind of key.", examples: ["EC"] },
    alg: {
      type: "string",
      enum: ["ES256", "EdDSA", "PS256"],
      description: "Algorithm of the key: `ES256` for P-256, `EdDSA` for Ed25519, `PS256` for RSA.",
    },
    use: { type: "string", const: "sig" },
    kid: {
      type: "string",
      maxLength: 255,
      description: "Name of the key, in printable ASCII. Every key of a set has a different name.",
    },
  },
};

const KEY_SET: Schema = {
  type: "object",
  required: ["keys"],
  properties: { keys: { type: "array", minItems: 1, maxItems: 10, items: SIGNING_KEY } },
  description:
    "Public keys that verify the signatures of the application: P-256, Ed25519, or RSA of 2,048 to 8,192 bits (RFC 7517, FAPI 2.0 5.4.1). Secret members are refused, and so is `RS256`; `alg` may be left out. A single key needs no `kid`.",
};

/** Members that a TPP registers. */
const REGISTERED: Readonly<Record<string, Schema>> = {
  applicationType: {
    type: "string",
    enum: APPLICATION_TYPES,
    description:
      "`web` runs on your server, `native` on the PSU's device. Also accepted as `application_type`.",
  },
  client_name: {
    type: "string",
    minLength: 1,
    maxLength: 255,
    description: "Name that the PSU sees, at most 255 bytes.",
    examples: ["Moje peněženka"],
  },
  redirect_uris: {
    type: "array",
    minItems: 1,
    maxItems: 3,
    items: { type: "string", maxLength: 2047 },
    description:
      "Return addresses, compared character by character. `web`: https. `native`: http on loopback, where any port matches, or a scheme named after a domain. None is at a host of the bank. A query must not have any of the parameters that are returned to you, such as `code`, `state` and `error`.",
    examples: [["https://tpp.example/callback"]],
  },
  scopes: {
    type: "array",
    minItems: 1,
    maxItems: 10,
    items: { type: "string", enum: SCOPES },
    description:
      "What the application may ask for, within the roles of your certificate. Without it, a new application gets all scopes that the roles cover, and a replaced one keeps what it has.",
  },
  logo_uri: { type: "string", format: "uri", maxLength: 2047, description: "Address of a logo, https." },
  contact: { type: "string", maxLength: 320, description: "E-mail address for questions." },
  token_endpoint_auth_method: {
    type: "string",
    enum: TOKEN_ENDPOINT_AUTH_METHODS,
    description:
      "How the application authenticates. `private_key_jwt` and `tls_client_auth` put it in profile `fapi2`, where it has no secret and must push its authorization requests.",
  },
  jwks: KEY_SET,
  jwks_uri: {
    type: "string",
    format: "uri",
    maxLength: 2047,
    description:
      "Where the keys are published, https; never together with `jwks`. Keys for other purposes are ignored.",
  },
};

const LOCALIZED = "client_name#[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*";
const LOCALIZED_NAME: Schema = {
  type: "string",
  minLength: 1,
  maxLength: 1024,
  description:
    "`client_name#` and a language: the name in that language, at most 1,024 bytes. At most ten such names are allowed. A page shows the name of its own language; without one, the first of a region, such as `en-US`; else `client_name`.",
};

const CLIENT_ID: Schema = {
  type: "string",
  description: "Id of the application.",
  examples: ["Vq3mT1sXo0b9LwEr5cYzAg"],
};
const SECRET: Schema = { type: "string", description: "The secret, shown only now.", maxLength: 255 };
const SECRET_END: Schema = { type: "integer", const: 0, description: "The secret does not expire." };
const API_KEY: Schema = { type: "string", const: "NOT_PROVIDED", description: "This bank has no API keys." };

const OPTIONAL_MEMBERS = ["logo_uri", "contact", "token_endpoint_auth_method", "jwks", "jwks_uri"] as const;
const OPTIONAL = ["client_secret_expires_at", ...OPTIONAL_MEMBERS];

const told: Readonly<Record<string, Schema>> = {
  client_id: CLIENT_ID,
  client_secret_expires_at: SECRET_END,
  ...REGISTERED,
  security_profile: {
    type: "string",
    enum: ["cobs", "fapi2"],
    description: "Follows from `token_endpoint_auth_method`.",
  },
};

function toldObject(
  more: Readonly<Record<string, Schema>>,
  optional: readonly string[],
  description: string,
): Schema {
  const properties = { ...told, ...more };
  const names = [...Object.keys(properties), LOCALIZED].join("|");
  return {
    ...closedObject(properties, { optional, description }),
    patternProperties: { [`^${LOCALIZED}$`]: LOCALIZED_NAME },
    // Client generators ignore the patterns. Without this, a client would refuse such a name; with a type, TypeScript clients
    // would require it of every member.
    additionalProperties: { description: "A name in another language." },
    propertyNames: { pattern: `^(${names})$` },
  };
}

const REQUIRED = ["applicationType", "client_name", "redirect_uris"] as const;

function sentObject(ofClientId: string, required: readonly string[]): Schema {
  return {
    type: "object",
    description:
      "What you register about an application. Members that are not named here are ignored; null counts as absent.",
    properties: { ...REGISTERED, client_id: { ...CLIENT_ID, description: ofClientId } },
    patternProperties: { [`^${LOCALIZED}$`]: LOCALIZED_NAME },
    additionalProperties: { description: "Ignored, unless it is a name in another language." },
    required,
  };
}

/** Schemas of applications (COBS PDF 1.4.1). */
export const APPLICATION_SCHEMAS: Readonly<Record<string, Schema>> = {
  ApplicationRegistration: sentObject(
    "Ignored when you register; in a replacement it must be that of the path.",
    REQUIRED,
  ),
  NamedApplicationRegistration: sentObject("Which application is replaced.", ["client_id", ...REQUIRED]),
  Application: toldObject(
    { api_key: API_KEY },
    OPTIONAL,
    "An application, without its secret (COBS PDF 1.4.1.2).",
  ),
  CreatedApplication: toldObject(
    { api_key: API_KEY, client_secret: SECRET },
    [...OPTIONAL, "client_secret"],
    "A new application. One of profile `cobs` has a secret (COBS PDF 1.4.1.1).",
  ),
  UpdatedApplication: toldObject({}, OPTIONAL, "An application after its replacement (COBS PDF 1.4.1.3)."),
  ApplicationList: { type: "array", items: schemaOf("Application"), description: "Your applications." },
  RenewedSecret: closedObject(
    { client_id: CLIENT_ID, client_secret: SECRET, client_secret_expires_at: SECRET_END },
    { description: "The new secret (COBS PDF 1.4.1.5)." },
  ),
  RenewedKey: closedObject(
    { client_id: CLIENT_ID, api_key: API_KEY },
    { description: "No API key (COBS PDF 1.4.1.6)." },
  ),
};
