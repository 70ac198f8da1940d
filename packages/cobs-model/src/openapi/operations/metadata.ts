import type { DescribedOperation, Host } from "../described-operation.ts";
import { EVERY_ANSWER } from "../headers.ts";
import type { Json, MediaType, Response } from "../openapi-document.ts";
import { responseOf, schemaOf } from "../references.ts";
import { pageAnswer } from "../responses/auth-answers.ts";
import { FURTHER } from "../schemas/texts.ts";
import { OPEN } from "../security.ts";
import { CALL_HEADERS } from "./call-headers.ts";

const METADATA: Json = {
  issuer: "https://bank.example",
  authorization_endpoint: "https://bank.example/oauth/authorize",
  token_endpoint: "https://api.bank.example/oauth/token",
  jwks_uri: "https://bank.example/oauth/jwks",
  tls_client_certificate_bound_access_tokens: true,
};
const KEY: Json = { kty: "EC", crv: "P-256", use: "sig", alg: "ES256", kid: "2024-05" };

interface Readable {
  readonly host: Host;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly content: Readonly<Record<string, MediaType>>;
  /** Where it may not be there: the answer then. */
  readonly absent?: Response;
}

const jsonOf = (schema: MediaType["schema"], value?: Json): Readonly<Record<string, MediaType>> => ({
  "application/json": {
    schema,
    ...(value !== undefined && { examples: { usual: { summary: "as usual", value } } }),
  },
});

function readable({ content, host, absent, ...named }: Readable): DescribedOperation {
  return {
    ...named,
    host,
    method: "get",
    tags: ["About this bank"],
    security: OPEN,
    parameters: CALL_HEADERS,
    responses: {
      200: { description: "It is here.", headers: EVERY_ANSWER, content },
      ...(absent && { 404: absent }),
      421: responseOf(host === "browser" ? "PageMisdirected" : "ApiMisdirected"),
    },
  };
}

const DOCUMENT: MediaType["schema"] = {
  type: "object",
  required: ["openapi", "info", "paths"],
  properties: { openapi: { type: "string", const: "3.1.0" } },
  additionalProperties: FURTHER,
  description: "An OpenAPI document.",
};
const SAME = "This document. Nobody has to prove anything to read it.";

/** What can be read without a certificate. */
export const METADATA_OPERATIONS: readonly DescribedOperation[] = [
  readable({
    host: "browser",
    path: "/.well-known/oauth-authorization-server",
    operationId: "readServerMetadata",
    summary: "What this authorization server can do",
    description: "RFC 8414. Client libraries find every endpoint here.",
    content: jsonOf(schemaOf("ServerMetadata"), METADATA),
  }),
  readable({
    host: "browser",
    path: "/.well-known/openid-configuration",
    operationId: "readOpenIdMetadata",
    summary: "The same, where OpenID Connect has it",
    description:
      "For client libraries that look here only. The server is none of OpenID Connect, and says nothing of ID tokens: libraries that demand it, as Spring Security does where it is given `issuer-uri`, are to be given the endpoints instead.",
    content: jsonOf(schemaOf("ServerMetadata"), METADATA),
  }),
  readable({
    host: "browser",
    path: "/oauth/jwks",
    operationId: "readKeys",
    summary: "The keys of the bank",
    description: "RFC 7517. Keys that turn are announced here before they sign.",
    content: {
      "application/jwk-set+json": {
        schema: schemaOf("KeySet"),
        examples: { usual: { summary: "one key", value: { keys: [KEY] } } },
      },
    },
  }),
  readable({
    host: "browser",
    path: "/.well-known/security.txt",
    operationId: "readSecurityContact",
    summary: "Whom to tell of a weakness",
    description: "RFC 9116. There only where the bank names somebody.",
    content: { "text/plain": { schema: { type: "string" } } },
    absent: pageAnswer("A page: the bank names nobody."),
  }),
  readable({
    host: "browser",
    path: "/openapi.json",
    operationId: "readInterface",
    summary: "This interface",
    description: SAME,
    content: jsonOf(DOCUMENT),
  }),
  readable({
    host: "resource",
    path: "/cobs/2.0/openapi.json",
    operationId: "readInterfaceOfApi",
    summary: "This interface",
    description: SAME,
    content: jsonOf(DOCUMENT),
  }),
];
