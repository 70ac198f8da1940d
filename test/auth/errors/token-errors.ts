/** Refusals of codes, refresh tokens, pushed requests and revocations. A table. */
import { CHALLENGE, pushedFields, VERIFIER } from "../profiles/fapi2-application.ts";
import { FORM_BODY, postForm, REDIRECT_URI, type TestApplication } from "../test-application.ts";
import { type Ask, type EndpointErrors, json, row } from "./error-row.ts";
import type { ErrorStage } from "./error-stage.ts";

type Fields = Readonly<Record<string, string | undefined>>;

const PKCE = { code_challenge: CHALLENGE, code_challenge_method: "S256" };
const invalidRequest = json(400, "invalid_request");
const invalidGrant = json(400, "invalid_grant");

const present = (fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );

const tokenForm = ({ auth }: ErrorStage, application: TestApplication, fields: Fields) =>
  postForm(auth, "/oauth/token", application, present(fields));

/** Redeems a code, correct except for the changes; if they replace the code, no PSU consents for another. */
const redeeming =
  (changed: Fields, request: Readonly<Record<string, string>> = {}): Ask =>
  async (stage) =>
    redeem(stage, "code" in changed ? changed : { code: await stage.code(request), ...changed });

function redeem(stage: ErrorStage, changed: Fields, application = stage.application) {
  return tokenForm(stage, application, {
    grant_type: "authorization_code",
    redirect_uri: REDIRECT_URI,
    ...changed,
  });
}

/** Refreshes a token, correct except for the changes; if they replace the token, none is obtained. */
const refreshing =
  (changed: Fields): Ask =>
  async (stage) => {
    if ("refresh_token" in changed) return refresh(stage, changed);
    return refresh(stage, { refresh_token: (await stage.tokens()).refresh_token, ...changed });
  };

function refresh(stage: ErrorStage, changed: Fields, application = stage.application) {
  return tokenForm(stage, application, { grant_type: "refresh_token", ...changed });
}

/** Redeems or refreshes after something has happened. */
const redeemingAfter =
  (happen: (stage: ErrorStage, code: string) => Promise<unknown>): Ask =>
  async (stage) => {
    const code = await stage.code();
    await happen(stage, code);
    return redeem(stage, { code });
  };
const refreshingAfter =
  (happen: (stage: ErrorStage, refreshToken: string) => Promise<unknown>): Ask =>
  async (stage) => {
    const { refresh_token } = await stage.tokens();
    await happen(stage, refresh_token);
    return refresh(stage, { refresh_token });
  };
const expireConsents = ({ run, application }: ErrorStage) =>
  run(
    "UPDATE consent SET valid_until = now() - interval '1 second' WHERE application_id = $1 AND ended_at IS NULL",
    [application.client_id],
  );

/**
 * Calls with a certificate of the TPP that lacks the role for a scope, then presents the full one again: the last one presented
 * decides when the TPP's PSUs arrive.
 */
const withoutRole =
  (ask: (stage: ErrorStage, application: TestApplication) => ReturnType<Ask>): Ask =>
  async (stage) => {
    const answer = await ask(stage, { ...stage.application, certificate: "cisp" });
    await tokenForm(stage, stage.application, {});
    return answer;
  };

const atBankWithoutPayments = (stage: ErrorStage): ErrorStage => ({ ...stage, auth: stage.withoutPayments });

const strictly =
  (path: string, fields: (stage: ErrorStage) => Readonly<Record<string, string>>): Ask =>
  (stage) =>
    postForm(stage.strict, path, stage.application, fields(stage));

const pushing =
  (changed: Fields): Ask =>
  async ({ auth, certified }) => {
    const { client_id, certificate } = certified;
    const fields = pushedFields({ client_id }, changed);
    const body = new URLSearchParams(fields).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return auth.call({ certificate, method: "POST", path: "/oauth/par", headers, body });
  };

const GRANT_ERRORS: EndpointErrors = {
  endpoint: "`/oauth/token`",
  rows: [
    row("no `grant_type`", invalidRequest, (stage) => tokenForm(stage, stage.application, {})),
    row(
      "another `grant_type`",
      json(400, "unsupported_grant_type"),
      ...[
        "password",
        "client_credentials",
        "implicit",
        "urn:ietf:params:oauth:grant-type:device_code",
        "x",
      ].map(
        (grant_type): Ask =>
          (stage) =>
            tokenForm(stage, stage.application, { grant_type }),
      ),
    ),
    row(
      "profile `cobs` where the bank requires `fapi2`",
      json(400, "unauthorized_client"),
      strictly("/oauth/token", () => ({ grant_type: "refresh_token", refresh_token: "none" })),
      strictly("/oauth/token", () => ({ grant_type: "authorization_code", code: "none" })),
    ),
  ],
};

const CODE_ERRORS: EndpointErrors = {
  endpoint: "`/oauth/token`, a code",
  rows: [
    row(
      "no `code` or no `redirect_uri`",
      invalidRequest,
      redeeming({ code: undefined }),
      redeeming({ redirect_uri: undefined }),
    ),
    row(
      "an unknown code",
      invalidGrant,
      redeeming({ code: "none" }),
      redeeming({ code: "a".repeat(43) }),
      redeeming({ code: "\0" }),
    ),
    row(
      "an expired code",
      invalidGrant,
      redeemingAfter(({ run }) =>
        run("UPDATE token SET expires_at = now() - interval '1 second' WHERE kind = 'AuthorizationCode'"),
      ),
    ),
    row(
      "a used code",
      invalidGrant,
      redeemingAfter((stage, code) => redeem(stage, { code })),
    ),
    row(
      "the code of another application, of the same TPP or of another one",
      invalidGrant,
      async (stage) => redeem(stage, { code: await stage.code() }, stage.sibling),
      async (stage) => redeem(stage, { code: await stage.code() }, stage.foreign),
    ),
    row(
      "another `redirect_uri`",
      invalidGrant,
      redeeming({ redirect_uri: `${REDIRECT_URI}/` }),
      redeeming({ redirect_uri: `${REDIRECT_URI}?a=b` }),
      redeeming({ redirect_uri: "https://evil.example/" }),
    ),
    row(
      "no `code_verifier`, a wrong one, or one that nobody asked for",
      invalidGrant,
      redeeming({}, PKCE),
      redeeming({ code_verifier: "b".repeat(43) }, PKCE),
      redeeming({ code_verifier: CHALLENGE }, PKCE),
      redeeming({ code_verifier: VERIFIER }),
    ),
    row(
      "another `resource`",
      json(400, "invalid_target"),
      redeeming({ resource: "https://elsewhere.example" }),
    ),
    row(
      "a certificate without a role for any of its scopes",
      json(400, "invalid_scope"),
      withoutRole(async (stage, application) => redeem(stage, { code: await stage.code() }, application)),
    ),
    row("`pisp` alone at a bank without payments", json(400, "invalid_scope"), async (stage) =>
      redeem(atBankWithoutPayments(stage), { code: await stage.code({ scope: "pisp" }) }),
    ),
    row("the consent has run out meanwhile", invalidGrant, redeemingAfter(expireConsents)),
    row(
      "a later consent has taken the place of this one",
      invalidGrant,
      redeemingAfter((stage) => stage.code()),
    ),
    row("a refresh token instead", invalidGrant, async (stage) =>
      redeem(stage, { code: (await stage.tokens()).refresh_token }),
    ),
    row(
      "nobody says whether the certificate was revoked",
      json(503, "server_error"),
      ({ silent: { auth, application } }) =>
        postForm(auth, "/oauth/token", application, { grant_type: "authorization_code", code: "none" }),
    ),
  ],
};

const REFRESH_ERRORS: EndpointErrors = {
  endpoint: "`/oauth/token`, a refresh token",
  rows: [
    row("no `refresh_token`", invalidRequest, refreshing({ refresh_token: undefined })),
    row(
      "an unknown one",
      invalidGrant,
      refreshing({ refresh_token: "none" }),
      refreshing({ refresh_token: "\0" }),
    ),
    row(
      "an access token or a code instead",
      invalidGrant,
      async (stage) => refresh(stage, { refresh_token: (await stage.tokens()).access_token }),
      async (stage) => refresh(stage, { refresh_token: await stage.code() }),
    ),
    row(
      "that of another application, of the same TPP or of another one",
      invalidGrant,
      async (stage) => refresh(stage, { refresh_token: (await stage.tokens()).refresh_token }, stage.sibling),
      async (stage) => refresh(stage, { refresh_token: (await stage.tokens()).refresh_token }, stage.foreign),
    ),
    row(
      "a scope beyond the consent",
      json(400, "invalid_scope"),
      refreshing({ scope: "aisp pisp" }),
      refreshing({ scope: "admin" }),
    ),
    row(
      "another `resource`",
      json(400, "invalid_target"),
      refreshing({ resource: "https://elsewhere.example" }),
    ),
    row(
      "a certificate without a role for any of its scopes",
      json(400, "invalid_scope"),
      withoutRole(async (stage, application) =>
        refresh(stage, { refresh_token: (await stage.tokens()).refresh_token }, application),
      ),
    ),
    row("`pisp` alone at a bank without payments", json(400, "invalid_scope"), async (stage) =>
      refresh(atBankWithoutPayments(stage), { refresh_token: (await stage.tokens("pisp")).refresh_token }),
    ),
    row("the consent has run out", invalidGrant, refreshingAfter(expireConsents)),
    row(
      "a later consent has taken the place of this one",
      invalidGrant,
      refreshingAfter((stage) => stage.code()),
    ),
    row(
      "it was revoked",
      invalidGrant,
      refreshingAfter(({ auth, application }, token) =>
        postForm(auth, "/oauth/revoke", application, { token }),
      ),
    ),
  ],
};

const PAR_ERRORS: EndpointErrors = {
  endpoint: "`/oauth/par`",
  rows: [
    row(
      "no `client_id` among the parameters, even beside `Authorization` (RFC 9126 section 2.1)",
      invalidRequest,
      ({ auth, application: { client_id, client_secret, certificate } }) => {
        const body = new URLSearchParams(pushedFields({ client_id }, { client_id: undefined })).toString();
        const headers = { ...FORM_BODY, authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` };
        return auth.call({ certificate, method: "POST", path: "/oauth/par", headers, body });
      },
    ),
    row(
      "no `redirect_uri`, or one that is not registered",
      invalidRequest,
      pushing({ redirect_uri: undefined }),
      pushing({ redirect_uri: "https://evil.example/" }),
    ),
    row("no `response_type`", invalidRequest, pushing({ response_type: undefined })),
    row(
      "another `response_type`",
      json(400, "unsupported_response_type"),
      ...["balance", "token", "id_token", "code id_token", "none"].map((response_type) =>
        pushing({ response_type }),
      ),
    ),
    row(
      "another `response_mode`",
      json(400, "unsupported_response_mode"),
      ...["fragment", "form_post", "query.jwt", "web_message"].map((response_mode) =>
        pushing({ response_mode }),
      ),
    ),
    row(
      "a scope that is unknown, not offered, not registered, or beyond the roles of the certificate",
      json(400, "invalid_scope"),
      pushing({ scope: "aisp admin" }),
      pushing({ scope: "openid" }),
      withoutRole(({ auth }, application) =>
        postForm(auth, "/oauth/par", application, pushedFields(application)),
      ),
      ({ withoutPayments, application }) =>
        postForm(withoutPayments, "/oauth/par", application, pushedFields(application, { scope: "pisp" })),
    ),
    row(
      "no PKCE in profile `fapi2`; in both, another method than `S256`, or no challenge",
      invalidRequest,
      pushing({ code_challenge: undefined, code_challenge_method: undefined }),
      pushing({ code_challenge_method: "plain" }),
      pushing({ code_challenge_method: undefined }),
      pushing({ code_challenge: "short" }),
    ),
    row(
      "another `resource`",
      json(400, "invalid_target"),
      pushing({ resource: "https://elsewhere.example" }),
    ),
    row("a request object", json(400, "request_not_supported"), pushing({ request: "e30.e30." })),
    row(
      "a `request_uri`",
      json(400, "request_uri_not_supported"),
      pushing({ request_uri: "https://tpp.example/r" }),
    ),
    row("NUL in a parameter", invalidRequest, pushing({ state: "a\0" })),
    row(
      "more than 8 kB of parameters, form-encoded, without credentials",
      json(413, "invalid_request"),
      pushing({ state: "a".repeat(8_192) }),
    ),
    row("an unknown `prompt`", invalidRequest, pushing({ prompt: "create" })),
    row(
      "profile `cobs` where the bank requires `fapi2`",
      json(400, "unauthorized_client"),
      strictly("/oauth/par", ({ application }) => pushedFields(application)),
    ),
    row("nobody says whether the certificate was revoked", json(503, "server_error"), ({ silent }) =>
      postForm(silent.auth, "/oauth/par", silent.application, pushedFields(silent.application)),
    ),
    row("a thousand of the application wait already", json(429, "temporarily_unavailable"), async (stage) => {
      await stage.run(
        `INSERT INTO ephemeral_record (kind, id_hash, uid_hash, payload, expires_at)
        SELECT 'PushedAuthorizationRequest', sha256(($1 || n)::bytea), sha256($1::text::bytea), '{}', now() + interval '1 minute'
        FROM generate_series(1, 1000) n`,
        [stage.sibling.client_id],
      );
      return postForm(stage.auth, "/oauth/par", stage.sibling, pushedFields(stage.sibling));
    }),
  ],
};

const REVOKE_ERRORS: EndpointErrors = {
  endpoint: "`/oauth/revoke`",
  rows: [
    row("no `token`", invalidRequest, ({ auth, application }) =>
      postForm(auth, "/oauth/revoke", application, {}),
    ),
  ],
};

/** Refusals once the caller is known. */
export const GRANTED_ERRORS: readonly EndpointErrors[] = [
  GRANT_ERRORS,
  CODE_ERRORS,
  REFRESH_ERRORS,
  PAR_ERRORS,
  REVOKE_ERRORS,
];
