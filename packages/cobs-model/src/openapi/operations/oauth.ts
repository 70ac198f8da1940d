import type { DescribedOperation } from "../described-operation.ts";
import { EVERY_ANSWER } from "../headers.ts";
import type { Example, Json, Parameter, Reference, Response, Schema } from "../openapi-document.ts";
import { headersOf, responseOf, schemaOf } from "../references.ts";
import { EVERY_AUTH_ANSWER, pageAnswer } from "../responses/auth-answers.ts";
import { type OAuthErrorCase, oauthErrors } from "../responses/error-answers.ts";
import { CHOSEN } from "../schemas/oauth.ts";
import { BY_APPLICATION, OPEN } from "../security.ts";
import { CALL_HEADERS } from "./call-headers.ts";

const FORM = "application/x-www-form-urlencoded";

const malformed = (missing: string): OAuthErrorCase => ({
  error: "invalid_request",
  when: "a parameter is missing, malformed or given twice, or the request names no application or two",
  description: `missing required parameter '${missing}'`,
});
const WRONG_TARGET: OAuthErrorCase = {
  error: "invalid_target",
  when: "`resource` names a server other than that of the accounts",
  description: "resource indicator is missing, or unknown",
};
const PROFILE_REQUIRED: OAuthErrorCase = {
  error: "unauthorized_client",
  when: "the bank requires profile `fapi2`, which the application does not have",
  description:
    "this bank requires profile fapi2: token_endpoint_auth_method must be private_key_jwt or tls_client_auth",
};
const errorOf = (error: string, when: string, description: string): OAuthErrorCase => ({
  error,
  when,
  description,
});

const TOKEN_ERRORS: readonly OAuthErrorCase[] = [
  malformed("grant_type"),
  errorOf(
    "invalid_grant",
    "the code or refresh token is unknown, was used, has ended by itself or with its consent, or belongs to another application; or `redirect_uri` or `code_verifier` does not match the authorization request",
    "the code or refresh token is unknown, used, expired or issued to another application, or its consent has ended; or redirect_uri or code_verifier does not match the authorization request",
  ),
  errorOf("unsupported_grant_type", "`grant_type` has another value", "unsupported grant_type requested"),
  errorOf(
    "invalid_scope",
    "a scope is beyond the consent, or the bank offers none of the scopes, or the certificate has no role for any of them; the code and the refresh token stay valid",
    "the roles in the certificate cover none of the scopes (aisp needs PSP_AI, pisp needs PSP_PI)",
  ),
  WRONG_TARGET,
  PROFILE_REQUIRED,
];

const PUSH_ERRORS: readonly OAuthErrorCase[] = [
  malformed("response_type"),
  errorOf(
    "invalid_scope",
    "a scope is unknown, not offered by the bank or not registered, or the certificate has no role for it",
    "a scope is unknown, not offered by this bank, not registered for this application, or not covered by the roles in the TPP's most recent certificate",
  ),
  errorOf(
    "unsupported_response_type",
    "`response_type` is not `code`",
    "unsupported response_type requested",
  ),
  errorOf(
    "unsupported_response_mode",
    "`response_mode` is not `query`",
    "unsupported response_mode requested",
  ),
  errorOf(
    "request_not_supported",
    "the request has a request object",
    "request objects are not supported: send their contents as separate parameters",
  ),
  errorOf(
    "request_uri_not_supported",
    "the request has a `request_uri`",
    "request_uri cannot be pushed: send the one that /oauth/par returns to /oauth/authorize",
  ),
  WRONG_TARGET,
  PROFILE_REQUIRED,
];

const CLIENT_ANSWERS: Readonly<Record<string, Reference>> = {
  401: responseOf("AuthClient"),
  413: responseOf("AuthFormTooLarge"),
  415: responseOf("AuthFormMediaType"),
  429: responseOf("AuthTooOften"),
  ...EVERY_AUTH_ANSWER,
};

interface Endpoint {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly form: string;
  readonly sent: Readonly<Record<string, Example>>;
  readonly success: readonly [status: string, answer: Response];
  readonly errors: readonly OAuthErrorCase[];
}

function endpoint({ form, sent, success, errors, ...named }: Endpoint): DescribedOperation {
  const [status, answer] = success;
  return {
    ...named,
    host: "auth",
    method: "post",
    tags: ["Consent"],
    security: BY_APPLICATION,
    parameters: CALL_HEADERS,
    requestBody: {
      description: "A form that has each name at most once.",
      required: true,
      content: { [FORM]: { schema: schemaOf(form), examples: sent } },
    },
    responses: {
      [status]: answer,
      400: oauthErrors("The request is not acceptable.", errors),
      ...CLIENT_ANSWERS,
    },
  };
}

const json = (schema: string, value: Json): NonNullable<Response["content"]> => ({
  "application/json": { schema: schemaOf(schema), examples: { usual: { summary: "typical", value } } },
});

const BY_SECRET = {
  client_id: "Vq3mT1sXo0b9LwEr5cYzAg",
  client_secret: "n3vXo1u8TqkLh0cYJr5dWm2eZb7sPf4gAi6xVtKyQwU",
};
const REDIRECT = { redirect_uri: "https://tpp.example/callback" };
/** As in RFC 7636 appendix B. */
const VERIFIER = { code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" };
const PKCE = {
  code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  code_challenge_method: "S256",
};

const query = (
  name: string,
  description: string,
  example: string,
  schema: Schema = { type: "string" },
): Parameter => ({ name, in: "query", required: name === "client_id", description, schema, example });

const AUTHORIZE: DescribedOperation = {
  host: "browser",
  method: "get",
  path: "/oauth/authorize",
  operationId: "authorize",
  tags: ["Consent"],
  summary: "Send the PSU to the bank to consent",
  description:
    "COBS PDF 1.4.3. Send the PSU's browser here. After sign-in and consent it returns to `redirect_uri` with `code`, `state` and `iss` (RFC 9207), or with `error`, `error_description`, `state` and `iss`. A PSU has one consent for an application: a new consent ends the previous one and its tokens, whatever scopes and accounts it had. If you need both scopes, ask for both at once. An application of profile `fapi2` sends only `client_id` and the `request_uri` of its pushed request. The same path on the API host redirects here.",
  security: OPEN,
  parameters: [
    query("client_id", "Id of the application.", BY_SECRET.client_id),
    query("response_type", "`code`. Required unless the request was pushed.", "code", CHOSEN.type),
    query("response_mode", "`query`, which is also the default.", "query", CHOSEN.mode),
    query(
      "redirect_uri",
      "One of the registered addresses. Required unless the request was pushed.",
      REDIRECT.redirect_uri,
    ),
    query(
      "scope",
      "`aisp`, `pisp`, or both separated by a space. Without it, you get all registered scopes that the roles of the certificate that you showed last cover.",
      "aisp",
    ),
    query("state", "Returned unchanged. Preferably a random value tied to the PSU's session.", "xyz"),
    query("code_challenge", "PKCE (RFC 7636).", PKCE.code_challenge, CHOSEN.challenge),
    query(
      "code_challenge_method",
      "`S256`. Required with `code_challenge`.",
      PKCE.code_challenge_method,
      CHOSEN.method,
    ),
    query(
      "prompt",
      "Has no effect: every request asks the PSU to sign in and to consent. `none` is answered with `login_required`.",
      "login consent",
      CHOSEN.prompt,
    ),
    query(
      "resource",
      "The resource server (RFC 8707). There is only one, so you may leave it out.",
      "https://api.bank.example/cobs/2.0",
    ),
    query(
      "request_uri",
      "The reference to a pushed request (RFC 9126). All other parameters but `client_id` are then ignored.",
      "urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c",
    ),
    query("ui_locales", "Languages of the pages, by preference: `cs`, `en`.", "en"),
    ...CALL_HEADERS,
  ],
  responses: {
    303: {
      description:
        "Redirects to the pages of the bank, or back to the application with `error` in the query: `invalid_request`, `unauthorized_client`, `access_denied`, `temporarily_unavailable`, `invalid_scope`, `invalid_target`, `unsupported_response_type`, `unsupported_response_mode`, `login_required`, `request_not_supported`, `request_uri_not_supported` or `invalid_request_uri`.",
      headers: { ...EVERY_ANSWER, ...headersOf("Location", "Set-Cookie") },
    },
    400: pageAnswer(
      "A page: the application or its return address is unknown, so the PSU cannot be sent back (A-23). For the developers of the application, the page says which.",
    ),
    403: pageAnswer("A page: the bank has blocked the TPP."),
    421: responseOf("PageMisdirected"),
    429: responseOf("PageTooOften"),
    500: responseOf("PageFailed"),
    503: responseOf("PageUnavailable"),
  },
};

/** The endpoints of OAuth (COBS PDF 1.4.3 to 1.4.6, RFC 9126). */
export const OAUTH_OPERATIONS: readonly DescribedOperation[] = [
  endpoint({
    path: "/oauth/par",
    operationId: "pushAuthorizationRequest",
    summary: "Push an authorization request",
    description:
      "RFC 9126. Sends the parameters of an authorization request directly to the bank; the browser carries only a reference. Required for applications of profile `fapi2`.",
    form: "PushedRequest",
    sent: {
      usual: {
        summary: "for account information",
        value: { ...BY_SECRET, response_type: "code", ...REDIRECT, scope: "aisp", state: "xyz", ...PKCE },
      },
    },
    success: [
      "201",
      {
        description: "The reference, to be sent as `request_uri` to `/oauth/authorize`.",
        headers: EVERY_ANSWER,
        content: json("PushedAnswer", {
          request_uri: "urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c",
          expires_in: 60,
        }),
      },
    ],
    errors: PUSH_ERRORS,
  }),
  AUTHORIZE,
  endpoint({
    path: "/oauth/token",
    operationId: "getTokens",
    summary: "Exchange a code or a refresh token for tokens",
    description:
      "COBS PDF 1.4.4 and 1.4.5. The application authenticates in the way that it has registered: with its secret, in the form or in `Authorization: Basic`; with an assertion; or with its certificate alone. The tokens are bound to the certificate of the call. A code works once, within a minute unless the bank has set another time; in profile `fapi2`, never after a minute. A used code that is sent again, however late, is refused, and ends its consent with all tokens (RFC 6749 section 4.1.2).",
    form: "TokenRequest",
    sent: {
      code: {
        summary: "a code",
        value: {
          ...BY_SECRET,
          grant_type: "authorization_code",
          code: "dJx3cQyZ1m0kq2lU9wVb7A",
          ...REDIRECT,
          ...VERIFIER,
        },
      },
      refresh: {
        summary: "a refresh token",
        value: { ...BY_SECRET, grant_type: "refresh_token", refresh_token: "Wq8yT3nR6uP1sK0vLxJzMg" },
      },
    },
    success: [
      "200",
      {
        description: "The tokens. A refresh returns the same refresh token, which stays valid (A-24).",
        headers: EVERY_ANSWER,
        content: {
          "application/json": {
            schema: schemaOf("TokenAnswer"),
            examples: {
              code: {
                summary: "for a code",
                value: {
                  access_token: "Jt2kQ7w9sXvB4nMz",
                  refresh_token: "Wq8yT3nR6uP1sK0vLxJzMg",
                  expires_in: 600,
                  token_type: "Bearer",
                  scope: "aisp",
                },
              },
              refresh: {
                summary: "for a refresh token",
                value: {
                  access_token: "Lm5pR1yU8eIo3aSd",
                  refresh_token: "Wq8yT3nR6uP1sK0vLxJzMg",
                  expires_in: 600,
                  token_type: "Bearer",
                  scope: "aisp",
                },
              },
            },
          },
        },
      },
    ],
    errors: TOKEN_ERRORS,
  }),
  endpoint({
    path: "/oauth/revoke",
    operationId: "revokeToken",
    summary: "Revoke a token",
    description: "COBS PDF 1.4.6, RFC 7009. Revoking a refresh token ends the consent.",
    form: "RevocationRequest",
    sent: { usual: { summary: "a refresh token", value: { ...BY_SECRET, token: "Wq8yT3nR6uP1sK0vLxJzMg" } } },
    success: [
      "200",
      { description: "The token has ended, or did not exist (RFC 7009 section 2.2).", headers: EVERY_ANSWER },
    ],
    errors: [malformed("token")],
  }),
];
