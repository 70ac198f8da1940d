import type { SecurityRequirement, SecurityScheme } from "./openapi-document.ts";

/** Addresses of the OAuth endpoints. */
export type OAuthHosts = { readonly issuer: string; readonly authApi: string };

/** Describes how callers prove their identity, with the addresses of this bank. */
export function securitySchemes({ issuer, authApi }: OAuthHosts): Readonly<Record<string, SecurityScheme>> {
  return {
    qwac: {
      type: "mutualTLS",
      description:
        "Your qualified certificate for websites (QWAC) with its PSD2 statement, as a TLS client certificate (COBS PDF 1.4.8, ETSI TS 119 495). It says who you are and which roles you hold.",
    },
    oauth: {
      type: "oauth2",
      description:
        "An access token for the PSU's consent, in `Authorization: Bearer`. It works only with the certificate that it was issued to (RFC 8705 section 3).",
      flows: {
        authorizationCode: {
          authorizationUrl: `${issuer}/oauth/authorize`,
          tokenUrl: `${authApi}/oauth/token`,
          refreshUrl: `${authApi}/oauth/token`,
          scopes: {
            aisp: "Account information: accounts, balances and transactions.",
            pisp: "Payment initiation.",
          },
        },
      },
    },
    clientSecretBasic: {
      type: "http",
      scheme: "basic",
      description:
        "`client_secret_basic`: the id and the secret of the application, each form-encoded first (RFC 6749 2.3.1). Applications that send the secret in the form (`client_secret_post`), sign an assertion (`private_key_jwt`) or authenticate with their certificate alone (`tls_client_auth`) do not send this header.",
    },
  };
}

const QWAC: SecurityRequirement = { qwac: [] };

/** No proof is needed. */
export const OPEN: readonly SecurityRequirement[] = [];
/** Only a certificate is needed. */
export const BY_CERTIFICATE: readonly SecurityRequirement[] = [QWAC];
/** A certificate, and an application that authenticates in the header or in the form. */
export const BY_APPLICATION: readonly SecurityRequirement[] = [{ ...QWAC, clientSecretBasic: [] }, QWAC];
/** A certificate, and a token for account information. */
export const FOR_ACCOUNTS: readonly SecurityRequirement[] = [{ ...QWAC, oauth: ["aisp"] }];
/** A certificate, and a token for payments. */
export const FOR_PAYMENTS: readonly SecurityRequirement[] = [{ ...QWAC, oauth: ["pisp"] }];
/** A certificate; a token for payments is optional. */
export const FOR_PAYMENT_STATUS: readonly SecurityRequirement[] = [...FOR_PAYMENTS, QWAC];
