/** Refusals of the browser host: authorization requests, keys and metadata. A table. */
import type { RawAnswer } from "../../support/raw-https.ts";
import { byReference, CHALLENGE, type Fapi2Application, push } from "../profiles/fapi2-application.ts";
import { authorizePath, consent, openBrowser, type PsuBrowser, signIn } from "../psu-browser.ts";
import type { RunningAuth } from "../running-auth.ts";
import {
  APPLICATIONS,
  FORM_BODY,
  JSON_BODY,
  REDIRECT_URI,
  REGISTRATION,
  register,
} from "../test-application.ts";
import { type Ask, type EndpointErrors, json, page, redirect, row } from "./error-row.ts";
import type { ErrorStage } from "./error-stage.ts";

type Changed = Readonly<Record<string, string | undefined>>;

const UNKNOWN = "AAAAAAAAAAAAAAAAAAAAAA";

/** An authorization request that is correct except for the changes. */
const asking =
  (changed: Changed): Ask =>
  ({ auth, application }) =>
    openBrowser(auth).get(authorizePath(application, changed));

/** One that begins with a pushed request, of which something has become. */
const beginning =
  (reference: (stage: ErrorStage) => Promise<string>, by: (stage: ErrorStage) => Fapi2Application): Ask =>
  async (stage) =>
    openBrowser(stage.auth).get(authorizePath(by(stage), byReference(await reference(stage))));
const certified = (stage: ErrorStage) => stage.certified;

/** One that begins with a reference, and names more beside it. */
const beginningWith =
  (reference: string, beside: Changed): Ask =>
  ({ auth, certified: application }) =>
    openBrowser(auth).get(authorizePath(application, byReference(reference, beside)));

/** A PSU who has signed in, and goes back from the page that says what the bank answers about their accounts. */
const goingBack =
  (answer: RunningAuth["accounts"]["answer"]): Ask =>
  async ({ auth, application }) => {
    const browser = openBrowser(auth);
    const start = await browser.follow(await browser.get(authorizePath(application)));
    const { answer: inTime } = auth.accounts;
    auth.accounts.answer = answer;
    const told = await browser.follow(await signIn(auth, browser, start));
    auth.accounts.answer = inTime;
    return browser.follow(await browser.post(told, "cancel"));
  };

/** A PSU who has consented, and of whose answer something has become before it leads to a code. */
const afterConsent =
  (become: (stage: ErrorStage, browser: PsuBrowser) => Promise<unknown>): Ask =>
  async (stage) => {
    const { auth, application } = stage;
    const browser = openBrowser(auth);
    const start = await browser.follow(await browser.get(authorizePath(application)));
    const consentPage = await browser.follow(await signIn(auth, browser, start));
    const given = await browser.post(consentPage, "consent", { choice: "all" });
    await become(stage, browser);
    return browser.follow(given);
  };

/** A PSU who has answered, to whose application the address does not belong any more. */
const withoutAddress =
  (answer: (browser: PsuBrowser, start: RawAnswer, stage: ErrorStage) => Promise<RawAnswer>): Ask =>
  async (stage) => {
    const { auth } = stage;
    const application = await register(auth);
    const browser = openBrowser(auth);
    const start = await browser.follow(await browser.get(authorizePath(application)));
    const answered = await answer(browser, start, stage);
    const body = JSON.stringify({ ...REGISTRATION, redirect_uris: ["https://tpp.example/other"] });
    const path = `${APPLICATIONS}/${application.client_id}`;
    await auth.call({ method: "PUT", path, headers: JSON_BODY, body });
    return browser.follow(answered);
  };

/** A PSU who would be asked for what the application has not registered any more. */
const withoutScope =
  (goOn: (browser: PsuBrowser, start: RawAnswer, stage: ErrorStage) => Promise<RawAnswer>): Ask =>
  async (stage) => {
    const { auth } = stage;
    const application = await register(auth);
    const browser = openBrowser(auth);
    const start = await browser.follow(await browser.get(authorizePath(application, { scope: "aisp pisp" })));
    const body = JSON.stringify({ ...REGISTRATION, scopes: ["aisp"] });
    const path = `${APPLICATIONS}/${application.client_id}`;
    await auth.call({ method: "PUT", path, headers: JSON_BODY, body });
    return browser.follow(await goOn(browser, start, stage));
  };

const AUTHORIZE_ERRORS: EndpointErrors = {
  endpoint: "`/oauth/authorize`",
  rows: [
    row(
      "no application, or an unknown one",
      page(400),
      ...[undefined, UNKNOWN, "<script>", "resource"].map((client_id) => asking({ client_id })),
    ),
    row(
      "no `redirect_uri`, or one that is not registered",
      page(400),
      ...[
        undefined,
        `${REDIRECT_URI}/`,
        `${REDIRECT_URI}?a=b`,
        "https://evil.example/",
        "javascript:alert(1)",
      ].map((redirect_uri) => asking({ redirect_uri })),
    ),
    row("NUL in a parameter", page(400), asking({ state: "a\0" }), asking({ login_hint: "a\0" })),
    row(
      "more than 8 kB of parameters, form-encoded",
      page(400),
      asking({ state: "a".repeat(8_192) }),
      asking({ state: "\u0001".repeat(2_731) }),
      asking({ state: undefined, more: "a".repeat(8_192) }),
    ),
    row(
      "percent signs that encode no UTF-8",
      page(400),
      ...["state=%FF", "login_hint=%E8"].map(
        (more): Ask =>
          ({ auth, application }) =>
            auth.browse({ path: `${authorizePath(application, { state: undefined })}&${more}` }),
      ),
    ),
    row(
      "`client_id` or `redirect_uri` comes twice",
      page(400),
      ({ auth, application }) =>
        auth.browse({ path: `${authorizePath(application)}&client_id=${application.client_id}` }),
      ({ auth, application }) =>
        auth.browse({
          path: `${authorizePath(application)}&redirect_uri=${encodeURIComponent(REDIRECT_URI)}`,
        }),
    ),
    row(
      "another parameter comes twice",
      redirect("invalid_request"),
      ...["scope=pisp", "response_type=code", "prompt=login&prompt=login"].map(
        (more): Ask =>
          ({ auth, application }) =>
            auth.browse({ path: `${authorizePath(application)}&${more}` }),
      ),
    ),
    row("no `response_type`", redirect("invalid_request"), asking({ response_type: undefined })),
    row(
      "another `response_type`",
      redirect("unsupported_response_type"),
      ...["balance", "token", "id_token", "code id_token", "none"].map((response_type) =>
        asking({ response_type }),
      ),
    ),
    row(
      "another `response_mode`",
      redirect("unsupported_response_mode"),
      ...["form_post", "fragment", "query.jwt", "web_message"].map((response_mode) =>
        asking({ response_mode }),
      ),
    ),
    row(
      "a scope that is unknown, not offered, not registered, or beyond the roles of the TPP's last certificate",
      redirect("invalid_scope"),
      asking({ scope: "aisp admin" }),
      asking({ scope: "openid" }),
      async ({ auth, application }) => {
        await auth.call({ certificate: "pisp", path: APPLICATIONS });
        const answer = await auth.browse({ path: authorizePath(application, { scope: "aisp" }) });
        await auth.call({ path: APPLICATIONS });
        return answer;
      },
      ({ withoutPayments, application }) =>
        withoutPayments.browse({ path: authorizePath(application, { scope: "pisp" }) }),
    ),
    row(
      "PKCE with another method than `S256`, or with no challenge",
      redirect("invalid_request"),
      asking({ code_challenge: CHALLENGE, code_challenge_method: "plain" }),
      asking({ code_challenge: CHALLENGE }),
      asking({ code_challenge: "short", code_challenge_method: "S256" }),
      asking({ code_challenge_method: "S256" }),
    ),
    row("another `resource`", redirect("invalid_target"), asking({ resource: "https://elsewhere.example" })),
    row("`prompt=none`", redirect("login_required"), asking({ prompt: "none" })),
    row("an unknown `prompt`", redirect("invalid_request"), asking({ prompt: "create" })),
    row("a request object", redirect("request_not_supported"), asking({ request: "e30.e30." })),
    row(
      "the address of a request object",
      redirect("request_uri_not_supported"),
      asking({ request_uri: "https://localhost:1/request" }),
    ),
    row(
      "profile `fapi2` without a pushed request",
      redirect("invalid_request"),
      ({ auth, certified: application }) =>
        auth.browse({
          path: authorizePath(application, { code_challenge: CHALLENGE, code_challenge_method: "S256" }),
        }),
    ),
    row(
      "profile `cobs` where the bank requires `fapi2`",
      redirect("unauthorized_client"),
      ({ strict, application }) => strict.browse({ path: authorizePath(application) }),
    ),
    row(
      "a pushed request that is unknown, used, expired or another application's",
      page(400),
      beginning(async () => "urn:ietf:params:oauth:request_uri:none", certified),
      beginning(async ({ auth, certified: application }) => {
        const reference = await push(auth, application);
        await consent(auth, application, { request: byReference(reference) });
        return reference;
      }, certified),
      beginning(async ({ auth, certified: application, run }) => {
        const reference = await push(auth, application);
        await run("UPDATE ephemeral_record SET expires_at = now() WHERE kind = 'PushedAuthorizationRequest'");
        return reference;
      }, certified),
      beginning(({ auth, keyed }) => push(auth, keyed), certified),
      beginningWith("urn:ietf:params:oauth:request_uri:none", { redirect_uri: REDIRECT_URI, state: "xyz" }),
    ),
    row(
      "a pushed request whose reference comes twice",
      page(400),
      async ({ auth, certified: application }) => {
        const request_uri = await push(auth, application);
        const path = authorizePath(application, byReference(request_uri, { redirect_uri: REDIRECT_URI }));
        return openBrowser(auth).get(`${path}&${new URLSearchParams({ request_uri })}`);
      },
    ),
    row(
      "the PSU consents with a pushed request that another authorization has used",
      redirect("invalid_request_uri"),
      async ({ auth, certified: application }) => {
        const request = byReference(await push(auth, application));
        const late = openBrowser(auth);
        const start = await late.follow(await late.get(authorizePath(application, request)));
        await consent(auth, application, { request });
        const consentPage = await late.follow(await signIn(auth, late, start));
        return late.follow(await late.post(consentPage, "consent", { choice: "all" }));
      },
    ),
    row("the PSU declines", redirect("access_denied"), async ({ auth, application }) => {
      const browser = openBrowser(auth);
      const start = await browser.follow(await browser.get(authorizePath(application)));
      return browser.follow(await browser.post(start, "cancel"));
    }),
    row(
      "the PSU returns from a page that says why they cannot go on",
      redirect("access_denied"),
      goingBack({ status: 200, body: '{"accounts":[]}' }),
    ),
    row(
      "the same, because the bank cannot tell the PSU's accounts now",
      redirect("temporarily_unavailable"),
      goingBack({ status: 503, body: "" }),
    ),
    row(
      "the sign-in or the consent ends before its code is made",
      redirect("access_denied"),
      afterConsent(async (_, browser) => browser.post(await browser.get("/consents"), "sign-out")),
      afterConsent(({ run, application }) =>
        run(
          `UPDATE consent SET ended_at = now(), ended_by = 'psu', end_reason = 'withdrawn'
            WHERE application_id = $1 AND ended_at IS NULL`,
          [application.client_id],
        ),
      ),
    ),
    row(
      "a scope was taken out of the registration before the PSU has answered",
      redirect("invalid_scope"),
      withoutScope((browser, start, stage) => signIn(stage.auth, browser, start)),
    ),
    row(
      "the return address was removed before the answer leads there",
      page(400),
      withoutAddress(async (browser, start, stage) => {
        const consentPage = await browser.follow(await signIn(stage.auth, browser, start));
        return browser.post(consentPage, "consent", { choice: "all" });
      }),
      withoutAddress((browser, start) => browser.post(start, "cancel")),
    ),
    row("the TPP is blocked", page(403), (stage) => {
      const { organisationIdentifier: tpp } = stage.auth.tpp("second-tpp");
      const path = authorizePath(stage.foreign);
      return stage.whileBlocked({ tpp }, () => stage.auth.browse({ path }));
    }),
    row("too many requests", page(429), async ({ limited: { auth, application } }) => {
      const path = authorizePath(application);
      await auth.browse({ path });
      return auth.browse({ path });
    }),
    row("the database is down", page(503), ({ severed, application }) =>
      severed.browse({ path: authorizePath(application) }),
    ),
    row(
      "another method than `GET`",
      page(405),
      ...["POST", "PUT", "DELETE"].map(
        (method): Ask =>
          ({ auth, application }) =>
            auth.browse({ method, path: authorizePath(application), headers: FORM_BODY }),
      ),
    ),
    row("an authorization that is over, or another browser's", page(400), ({ auth }) =>
      auth.browse({ path: `/oauth/authorize/${UNKNOWN}` }),
    ),
  ],
};

const METADATA_ERRORS: EndpointErrors = {
  endpoint: "`/oauth/jwks`, `/.well-known/…`",
  rows: [
    row(
      "another method than `GET`",
      page(405),
      ...["/oauth/jwks", "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"].map(
        (path): Ask =>
          ({ auth }) =>
            auth.browse({ method: "POST", path, headers: FORM_BODY, body: "a=b" }),
      ),
    ),
    row("another `Host` than the browser host's", page(421), ({ auth }) =>
      auth.browse({ path: "/oauth/jwks", headers: { host: "evil.example" } }),
    ),
  ],
};

const UNKNOWN_PATHS: EndpointErrors = {
  endpoint: "every other path",
  rows: [
    row(
      "on the browser host",
      page(404),
      ...[
        "/nothing",
        "/oauth/Token",
        "/oauth/jwks/",
        "/oauth/introspect",
        `${APPLICATIONS}/`,
        "/operator/stop-list",
      ].map(
        (path): Ask =>
          ({ auth }) =>
            auth.browse({ path }),
      ),
    ),
    row(
      "on the API host",
      json(404, "invalid_request"),
      ...[
        "/nothing",
        "/oauth/token/",
        "/oauth/introspect",
        "/oauth/jwks",
        "/operator/stop-list",
        "/events",
      ].map(
        (path): Ask =>
          ({ auth }) =>
            auth.call({ path }),
      ),
    ),
    row(
      "on the bank listener",
      json(404, "invalid_request"),
      ...["/nothing", "/oauth/token", "/oauth/authorize", APPLICATIONS].map(
        (path): Ask =>
          ({ auth }) =>
            auth.callAsBank({ path }),
      ),
    ),
  ],
};

/** Refusals of the browser host, and of unknown paths. */
export const BROWSER_ERRORS: readonly EndpointErrors[] = [AUTHORIZE_ERRORS, METADATA_ERRORS, UNKNOWN_PATHS];
