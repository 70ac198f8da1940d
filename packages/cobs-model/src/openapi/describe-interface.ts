import { type BankChoices, headersOfBank } from "./bank-choices.ts";
import type { DescribedOperation, Host } from "./described-operation.ts";
import { HEADERS } from "./headers.ts";
import { INTRODUCTION } from "./introduction.ts";
import type { OpenApiDocument, PathItem, Server } from "./openapi-document.ts";
import { ACCOUNT_OPERATIONS } from "./operations/accounts.ts";
import { APPLICATION_OPERATIONS } from "./operations/applications.ts";
import { BALANCE_CHECK_OPERATIONS } from "./operations/balance-checks.ts";
import { METADATA_OPERATIONS } from "./operations/metadata.ts";
import { OAUTH_OPERATIONS } from "./operations/oauth.ts";
import { PAYMENT_OPERATIONS } from "./operations/payments.ts";
import { SIGNING_OPERATIONS } from "./operations/signing.ts";
import { TRANSACTION_OPERATIONS } from "./operations/transactions.ts";
import { PARAMETERS } from "./parameters.ts";
import { API_ANSWERS } from "./responses/api-answers.ts";
import { AUTH_ANSWERS } from "./responses/auth-answers.ts";
import { SCHEMAS } from "./schemas/schemas.ts";
import { securitySchemes } from "./security.ts";
import { TAGS } from "./tags.ts";

/** Addresses of a bank's interface, without a slash at the end. */
export type InterfaceHosts = {
  /** The browser host of the authorization server, which is also its issuer. */
  readonly issuer: string;
  /** Its API host. */
  readonly authApi: string;
  /** Identifier of the resource server, with `/my/accounts` below it; ends in `/cobs/2.0`. */
  readonly resourceServer: string;
};

const BASE = /\/cobs\/2\.0\/?$/;

const OPERATIONS: readonly DescribedOperation[] = [
  ...APPLICATION_OPERATIONS,
  ...OAUTH_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...TRANSACTION_OPERATIONS,
  ...PAYMENT_OPERATIONS,
  ...SIGNING_OPERATIONS,
  ...BALANCE_CHECK_OPERATIONS,
  ...METADATA_OPERATIONS,
];

/**
 * Describes everything that a TPP can call at a bank, as one OpenAPI 3.1 document. If the bank's choices are not known, it
 * describes all possibilities.
 */
export function describeInterface(hosts: InterfaceHosts, choices?: BankChoices): OpenApiDocument {
  const servers = serversOf(hosts);
  return {
    openapi: "3.1.0",
    info: {
      title: "Czech Open Banking Standard 2.0",
      version: "2.0",
      summary: "Applications, consents, accounts and payments for third party providers",
      description: INTRODUCTION,
    },
    servers: [servers.resource],
    tags: TAGS,
    paths: pathsOf(servers),
    components: {
      schemas: SCHEMAS,
      parameters: { ...PARAMETERS, ...headersOfBank(choices) },
      headers: HEADERS,
      responses: { ...API_ANSWERS, ...AUTH_ANSWERS },
      securitySchemes: securitySchemes(hosts),
    },
  };
}

function serversOf({ issuer, authApi, resourceServer }: InterfaceHosts): Readonly<Record<Host, Server>> {
  return {
    browser: { url: issuer, description: "Browser host: pages and metadata, without a certificate" },
    auth: { url: authApi, description: "API host for applications and tokens, with your certificate" },
    resource: {
      url: resourceServer.replace(BASE, ""),
      description: "API host for accounts and payments, with your certificate",
    },
  };
}

function pathsOf(servers: Readonly<Record<Host, Server>>): Readonly<Record<string, PathItem>> {
  const paths: Record<string, PathItem> = {};
  for (const { host, method, path, ...operation } of OPERATIONS) {
    paths[path] = { ...paths[path], [method]: { ...operation, servers: [servers[host]] } };
  }
  return paths;
}
