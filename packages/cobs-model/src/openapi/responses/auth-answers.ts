/** Answers that the endpoints of the authorization server share. */
import { COME_BACK, EVERY_ANSWER } from "../headers.ts";
import type { MediaType, Reference, Response } from "../openapi-document.ts";
import { headersOf, responseOf } from "../references.ts";
import { type OAuthErrorCase, oauthErrors } from "./error-answers.ts";

const CHALLENGED = { ...EVERY_ANSWER, "WWW-Authenticate": { $ref: "#/components/headers/BasicChallenge" } };

/** A page for the PSU, in Czech or English. */
const PAGE: Readonly<Record<string, MediaType>> = {
  "text/html": { schema: { type: "string", description: "A page for the PSU." } },
};

/** Describes a page for the PSU in place of what was requested. */
export function pageAnswer(description: string, headers: Response["headers"] = EVERY_ANSWER): Response {
  return { description, headers, content: PAGE };
}

const NO_CERTIFICATE: OAuthErrorCase = {
  error: "unauthorized_client",
  when: "no certificate was presented",
  description:
    "certificate_absent: Present your qualified website authentication certificate (QWAC) in the TLS handshake.",
};
const BAD_CERTIFICATE: OAuthErrorCase = {
  error: "access_denied",
  when: "the certificate is not accepted, or the bank has blocked it or its TPP; the code before the colon says why",
  description:
    "certificate_expired: The certificate has expired. Present a renewed one; nothing has to be registered again.",
};
const UNKNOWN_APPLICATION: OAuthErrorCase = {
  error: "invalid_client",
  when: "the application is unknown, or belongs to another TPP",
  description: "this TPP has no application with this id",
};

const tooLarge = (size: string, description: string) =>
  oauthErrors("The body is too large.", [
    { error: "invalid_request", when: `the body has ${size}`, description },
  ]);
const otherMediaType = (when: string, description: string) =>
  oauthErrors("The body has another media type.", [{ error: "invalid_request", when, description }]);

/** Table: answers that endpoints of the authorization server share, by name. */
export const AUTH_ANSWERS: Readonly<Record<string, Response>> = {
  AuthCertificate: oauthErrors("The certificate is missing or not accepted.", [
    NO_CERTIFICATE,
    BAD_CERTIFICATE,
  ]),
  AuthCertificateOrApplication: oauthErrors(
    "The certificate is missing or not accepted, or the application is not yours.",
    [NO_CERTIFICATE, BAD_CERTIFICATE, UNKNOWN_APPLICATION],
  ),
  AuthClient: oauthErrors(
    "The application is not authenticated: the certificate, the secret or the assertion is missing or wrong.",
    [
      {
        error: "invalid_client",
        when: "the certificate is missing or not accepted; the code before the colon says why",
        description:
          "certificate_absent: Present your qualified website authentication certificate (QWAC) in the TLS handshake.",
      },
      {
        error: "invalid_client",
        when: "the application is unknown or belongs to another TPP, or its secret or assertion is wrong or is not how it is registered to authenticate",
        description:
          "client authentication failed: client_id is not an application of the TPP in the certificate, its secret or assertion is wrong, or it is registered with another authentication method",
      },
      {
        error: "invalid_client",
        when: "the assertion has no `iss`, `jti` or `exp`, has expired, or has another `aud`; or the application's key has signed it, but it is from the future, is valid for too long, or was used before",
        description:
          "client authentication failed: aud of the assertion must be the issuer as a single string: https://bank.example",
      },
    ],
    CHALLENGED,
  ),
  AuthTooLarge: tooLarge("more than 64 kB", "the body is larger than 65536 bytes"),
  AuthFormTooLarge: tooLarge(
    "more than 56 kB, or that of a pushed request more than 8 kB without `client_secret` or `client_assertion`",
    "the body is larger than 57344 bytes, as sent or when form-encoded",
  ),
  AuthMediaType: otherMediaType(
    "the body is not JSON in UTF-8, or is compressed with something other than gzip, deflate or br",
    "the body must be application/json",
  ),
  AuthFormMediaType: otherMediaType(
    "the body is not a form in UTF-8, or is compressed",
    "the body must be application/x-www-form-urlencoded in UTF-8",
  ),
  AuthOutdated: oauthErrors(
    "The application does not have the `ETag` in `If-Match`, or has the one in `If-None-Match`.",
    [
      {
        error: "invalid_request",
        when: "the application was changed in the meantime",
        description:
          "the application's ETag is not what If-Match or If-None-Match requires: read the application again",
      },
    ],
  ),
  AuthMisdirected: oauthErrors("The header `Host` names another host.", [
    {
      error: "invalid_request",
      when: "the host is not served here",
      description: "this host is not served here: use https://api.bank.example",
    },
  ]),
  AuthTooOften: oauthErrors(
    "Too many calls from this TPP, application or address.",
    [
      {
        error: "temporarily_unavailable",
        when: "a limit of the bank is reached",
        description: "too many requests; try again in 12 seconds",
      },
    ],
    COME_BACK,
  ),
  AuthFailed: oauthErrors("The bank failed.", [
    {
      error: "server_error",
      when: "an unexpected error occurred; quote the request id to the bank",
      description: "the server failed; request 3f0b7e7e-6a4b-4b9f-9d0e-5c6f6f1a2b3c",
    },
  ]),
  AuthUnavailable: oauthErrors(
    "The bank cannot answer at the moment. Try again.",
    [
      {
        error: "server_error",
        when: "a part of the bank, or a service that knows revoked certificates, does not answer",
        description: "try again in a moment",
      },
    ],
    COME_BACK,
  ),
  PageMisdirected: pageAnswer("The header `Host` names another host."),
  PageFailed: pageAnswer("An unexpected error; the page shows the request id."),
  PageUnavailable: pageAnswer("The bank cannot answer at the moment.", {
    ...EVERY_ANSWER,
    ...headersOf("Retry-After"),
  }),
  PageTooOften: pageAnswer("Too many requests from this address.", {
    ...EVERY_ANSWER,
    ...headersOf("Retry-After"),
  }),
};

/** Answers that every endpoint with a certificate can give, by status. */
export const EVERY_AUTH_ANSWER: Readonly<Record<string, Reference>> = {
  421: responseOf("AuthMisdirected"),
  500: responseOf("AuthFailed"),
  503: responseOf("AuthUnavailable"),
};
