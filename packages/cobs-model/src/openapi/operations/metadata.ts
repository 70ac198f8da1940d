import type { DescribedOperation, Host } from "../described-operation.ts";
import { KEY_SET_EXAMPLE, METADATA_EXAMPLE } from "../examples/metadata.ts";
import { EVERY_ANSWER } from "../headers.ts";
import type { Json, MediaType, Reference, Response } from "../openapi-document.ts";
import { responseOf, schemaOf } from "../references.ts";
import { pageAnswer } from "../responses/auth-answers.ts";
import { OPEN } from "../security.ts";
import { CALL_HEADERS } from "./call-headers.ts";

interface Readable {
  readonly host: Host;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly content: Readonly<Record<string, MediaType>>;
  /** Other answers, if there may be something else in its place. */
  readonly otherwise?: Readonly<Record<string, Response | Reference>>;
}

const jsonOf = (schema: MediaType["schema"], value?: Json): Readonly<Record<string, MediaType>> => ({
  "application/json": {
    schema,
    ...(value !== undefined && { examples: { usual: { summary: "typical", value } } }),
  },
});

function readable({ content, host, otherwise, ...named }: Readable): DescribedOperation {
  return {
    ...named,
    host,
    method: "get",
    tags: ["About this bank"],
    security: OPEN,
    parameters: CALL_HEADERS,
    responses: {
      200: { description: "The requested document.", headers: EVERY_ANSWER, content },
      ...otherwise,
      421: responseOf(host === "browser" ? "PageMisdirected" : "ApiMisdirected"),
    },
  };
}

const SAME = "This document. No authentication is needed.";

/** Operations that need no certificate. */
export const METADATA_OPERATIONS: readonly DescribedOperation[] = [
  readable({
    host: "browser",
    path: "/.well-known/oauth-authorization-server",
    operationId: "readServerMetadata",
    summary: "Metadata of the authorization server",
    description: "RFC 8414. Names every endpoint for client libraries.",
    content: jsonOf(schemaOf("ServerMetadata"), METADATA_EXAMPLE),
  }),
  readable({
    host: "browser",
    path: "/.well-known/openid-configuration",
    operationId: "readOpenIdMetadata",
    summary: "The same metadata, at the OpenID Connect path",
    description:
      "For client libraries that look only here. The server does not support OpenID Connect, and the document says nothing about ID tokens. Libraries that require OpenID Connect, such as Spring Security with `issuer-uri`, must be configured with the endpoints instead.",
    content: jsonOf(schemaOf("ServerMetadata"), METADATA_EXAMPLE),
  }),
  readable({
    host: "browser",
    path: "/oauth/jwks",
    operationId: "readKeys",
    summary: "The keys of the bank",
    description: "RFC 7517. A new key is published here before the bank signs with it.",
    content: {
      "application/jwk-set+json": {
        schema: schemaOf("KeySet"),
        examples: { usual: { summary: "one key", value: KEY_SET_EXAMPLE } },
      },
    },
    // Keys dropped meanwhile must not be published, so each call looks them up, which may fail.
    otherwise: { 500: responseOf("PageFailed"), 503: responseOf("PageUnavailable") },
  }),
  readable({
    host: "browser",
    path: "/.well-known/security.txt",
    operationId: "readSecurityContact",
    summary: "Where to report a vulnerability",
    description: "RFC 9116. Exists only if the bank names a contact.",
    content: { "text/plain": { schema: { type: "string" } } },
    otherwise: { 404: pageAnswer("A page: the bank names no contact.") },
  }),
  readable({
    host: "browser",
    path: "/openapi.json",
    operationId: "readInterface",
    summary: "This interface",
    description: SAME,
    content: jsonOf(schemaOf("InterfaceDocument")),
  }),
  readable({
    host: "resource",
    path: "/cobs/2.0/openapi.json",
    operationId: "readInterfaceOfApi",
    summary: "This interface",
    description: SAME,
    content: jsonOf(schemaOf("InterfaceDocument")),
  }),
];
