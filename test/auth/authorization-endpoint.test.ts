import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { authorizePath, consent, openBrowser, type PsuBrowser, signIn, signInNow } from "./psu-browser.ts";
import { ISSUER, type RunningAuth, runAuth } from "./running-auth.ts";
import {
  APPLICATIONS,
  JSON_BODY,
  REDIRECT_URI,
  REGISTRATION,
  register,
  type TestApplication,
} from "./test-application.ts";

describe("The authorization endpoint", () => {
  let auth: RunningAuth;
  let application: TestApplication;
  before(async () => {
    auth = await runAuth();
    application = await register(auth);
  });
  after(() => auth.stop());
  beforeEach("the last certificate of the TPP has both roles", () => auth.call({ path: APPLICATIONS }));

  const ask = (changed: Readonly<Record<string, string | undefined>>) =>
    openBrowser(auth).get(authorizePath(application, changed));
  const expectRedirect = (answer: RawAnswer, error: string) => {
    expect(answer.status, answer.body).to.equal(303);
    const location = new URL(String(answer.headers.location));
    expect(location.origin + location.pathname).to.equal(REDIRECT_URI);
    const { searchParams } = location;
    expect(searchParams.get("error")).to.equal(error);
    // RFC 9207 2: in errors too.
    expect(searchParams.get("iss")).to.equal(ISSUER);
    return searchParams;
  };
  const expectPage = (answer: RawAnswer, status: number) => {
    expect(answer.status).to.equal(status);
    expect(answer.headers).not.to.have.property("location");
    expect(answer.headers["content-type"]).to.equal("text/html; charset=utf-8");
    expect(answer.headers["content-security-policy"]).to.contain("frame-ancestors 'none'");
    expect(answer.headers).not.to.have.property("access-control-allow-origin");
  };

  it("leads to sign-in, consent and back with code, state and iss (COBS PDF 1.4.3, RFC 9207)", async () => {
    const back = await consent(auth, application, { request: { state: "a b&č" } });
    expect(back.href.startsWith(`${REDIRECT_URI}?`)).to.equal(true);
    expect(back.searchParams.get("code")).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(back.searchParams.get("state")).to.equal("a b&č");
    expect(back.searchParams.get("iss")).to.equal(ISSUER);
    expect([...back.searchParams.keys()]).to.have.length(3);
  });

  it("asks for every registered scope when the request names none (A-30)", async () => {
    const browser = openBrowser(auth);
    const page = await browser.follow(await browser.get(authorizePath(application, { scope: undefined })));
    expect(page.status).to.equal(200);
    const back = await consent(auth, application, { request: { scope: undefined } });
    expect(back.searchParams.has("code")).to.equal(true);
    const [row] = await auth.database.run<{ services: string[] }>({
      name: "newest",
      text: "SELECT services FROM consent ORDER BY given_at DESC LIMIT 1",
      values: [],
    });
    expect(row?.services).to.deep.equal(["aisp", "pisp"]);
  });

  it("accepts scopes in any letter case (A-30)", async () => {
    const back = await consent(auth, application, { request: { scope: "AISP" } });
    expect(back.searchParams.has("code")).to.equal(true);
  });

  it("refuses scopes that are unknown, not registered, or beyond the last certificate's roles (invalid_scope)", async () => {
    const state = expectRedirect(await ask({ scope: "aisp admin" }), "invalid_scope").get("state");
    expect(state).to.equal("xyz");
    expectRedirect(await ask({ scope: "openid" }), "invalid_scope");
    // The provider takes it out by itself: alone it must not stand for everything.
    expectRedirect(await ask({ scope: "offline_access" }), "invalid_scope");
    const narrow = await register(auth, { scopes: ["aisp"] });
    const answer = await openBrowser(auth).get(authorizePath(narrow, { scope: "pisp" }));
    expectRedirect(answer, "invalid_scope");
    await auth.call({ certificate: "pisp", path: APPLICATIONS });
    expectRedirect(await ask({ scope: "aisp" }), "invalid_scope");
  });

  it("never redirects for an unknown application or return address (A-23)", async () => {
    expectPage(await ask({ client_id: "AAAAAAAAAAAAAAAAAAAAAA" }), 400);
    expectPage(await ask({ client_id: "<script>" }), 400);
    expectPage(await ask({ client_id: undefined }), 400);
    expectPage(await ask({ redirect_uri: undefined }), 400);
    for (const uri of [
      "https://evil.example/",
      `${REDIRECT_URI}/`,
      `${REDIRECT_URI}?a=b`,
      "javascript:alert(1)",
    ]) {
      const answer = await ask({ redirect_uri: uri });
      expectPage(answer, 400);
      expect(answer.body).not.to.contain("evil.example").and.not.to.contain("alert(1)");
    }
  });

  it("shows developers on the page what was wrong with a request that has no way back", async () => {
    const told = async (request: Parameters<typeof ask>[0]) => {
      const { body } = await ask(request);
      return /<span lang="en">(\w+, \w+)/.exec(body)?.[1];
    };
    expect(await told({ client_id: "AAAAAAAAAAAAAAAAAAAAAA" })).to.equal("invalid_client, client_id");
    // A service of the bank is a client on its own listener alone.
    expect(await told({ client_id: "resource" })).to.equal("invalid_client, client_id");
    const uri = `${REDIRECT_URI}/`;
    expect(await told({ redirect_uri: uri })).to.equal("invalid_redirect_uri, redirect_uri");
    expect(await told({ client_id: undefined })).to.equal("invalid_request, client_id");
    const request_uri = "urn:ietf:params:oauth:request_uri:unknown";
    expect(await told({ request_uri, redirect_uri: undefined })).to.equal("invalid_request_uri, request_uri");
  });

  it("refuses unsupported response types and response modes", async () => {
    expectRedirect(await ask({ response_type: "balance" }), "unsupported_response_type");
    expectRedirect(await ask({ response_type: undefined }), "invalid_request");
    for (const response_mode of ["form_post", "fragment", "query.jwt", "web_message"]) {
      expectRedirect(await ask({ response_mode }), "unsupported_response_mode");
    }
  });

  it("reports a missing response_type as such, not as an unsupported response mode (RFC 6749 4.1.2.1)", async () => {
    for (const asked of [
      { response_type: undefined },
      { response_type: "" },
      { response_type: undefined, response_mode: "" },
      { response_type: undefined, request_uri: "" },
    ]) {
      const answer = await ask(asked);
      expectRedirect(answer, "invalid_request");
      const { searchParams } = new URL(answer.headers.location ?? "");
      expect(searchParams.get("error_description")).to.equal("missing required parameter 'response_type'");
    }
    expectPage(await ask({ response_type: undefined, redirect_uri: "https://evil.example/" }), 400);
  });

  it("answers a NUL character in any parameter with an error page (RFC 6749 appendix A)", async () => {
    for (const parameter of ["state", "ui_locales", "login_hint"])
      expectPage(await ask({ [parameter]: "a\0" }), 400);
  });

  it("takes as many parameters as may be pushed, 8 kB, and stores no more with the authorization than is told", async () => {
    const queryOf = (state: string) => authorizePath(application, { state }).split("?")[1] ?? "";
    const left = 8_192 - queryOf("").length;
    // The second is written with three bytes each, and stored with six.
    for (const [state, least] of [
      ["a".repeat(left), 8_000],
      ["\u0001".repeat(left / 3), 16_000],
    ] as const) {
      expect((await ask({ state })).status).to.equal(303);
      const text = "SELECT max(length(payload::text))::int AS longest FROM ephemeral_record";
      const [stored] = await auth.database.run<{ longest: number }>({ name: "longest", text, values: [] });
      expect(stored?.longest).to.be.within(least, 17_000);
    }
    expectPage(await ask({ state: "a".repeat(left + 1) }), 400);
    expect(auth.lastCall()).to.include({ refusal: "invalid_request" });
    const ignored = { claims: "a".repeat(4_100), id_token_hint: "a".repeat(4_100) };
    expect((await ask(ignored)).status, "with what only OpenID Connect knows").to.equal(303);
  });

  it("answers a query that is not UTF-8 with an error page, but returns a U+FFFD in state (RFC 6749 appendix B)", async () => {
    for (const parameter of [
      "state=%FF",
      "state=a%c4",
      "login_hint=%E8",
      "%ff=1",
      "state=%&login_hint=%E8",
    ]) {
      const answer = await openBrowser(auth).get(
        `${authorizePath(application, { state: undefined })}&${parameter}`,
      );
      expectPage(answer, 400);
      expect(auth.lastCall()).to.include({
        refusal: "invalid_request",
        detail: "the query is not percent-encoded UTF-8",
      });
    }
    for (const state of ["\ufffd", "100%"])
      expect(expectRedirect(await ask({ state, scope: "admin" }), "invalid_scope").get("state")).to.equal(
        state,
      );
  });

  it("refuses repeated parameters (RFC 6749 3.1)", async () => {
    const answer = await openBrowser(auth).get(`${authorizePath(application)}&scope=pisp`);
    expect(answer.status).to.be.oneOf([303, 400]);
    if (answer.status === 303) expectRedirect(answer, "invalid_request");
  });

  it("accepts PKCE with S256 only (RFC 7636 4.3)", async () => {
    const code_challenge = "ZtNPunH49FD35FWYhT5Tv8I7vRKQJ8uxMaL0_9eHjNA";
    expectRedirect(await ask({ code_challenge, code_challenge_method: "plain" }), "invalid_request");
    expectRedirect(await ask({ code_challenge }), "invalid_request");
  });

  it("answers prompt=none with login_required, also in a browser that has just signed in", async () => {
    expectRedirect(await ask({ prompt: "none" }), "login_required");
    const browser = openBrowser(auth);
    await consent(auth, application, { browser });
    const again = await browser.get(authorizePath(application, { prompt: "none" }));
    expectRedirect(again, "login_required");
  });

  it("asks for sign-in and consent each time: no code without the PSU", async () => {
    const browser = openBrowser(auth);
    await consent(auth, application, { browser });
    const page = await browser.follow(await browser.get(authorizePath(application)));
    expect(page.status).to.equal(200);
    expect(page.body).to.contain('name="password"');
    const next = await browser.follow(await signIn(auth, browser, page));
    expect(next.body).to.match(/action="\/oauth\/interaction\/[^"]+\/consent"/);
  });

  it("ignores parameters that only OpenID Connect defines (RFC 6749 3.1)", async () => {
    const back = await consent(auth, application, {
      request: { nonce: "n", max_age: "0", acr_values: "x", registration: "{}" },
    });
    expect(back.searchParams.has("code")).to.equal(true);
    const encoded = await openBrowser(auth).get(`${authorizePath(application)}&max%5Fage=0`);
    expect(encoded.headers.location).to.match(/^\/oauth\/interaction\//);
  });

  it("fetches no request object that a parameter names", async () => {
    const named = await ask({ request_uri: "https://localhost:1/request" });
    const told = expectRedirect(named, "request_uri_not_supported").get("error_description");
    expect(told).to.equal("request_uri must be one that /oauth/par returned");
    expectRedirect(await ask({ request: "e30.e30." }), "request_not_supported");
  });

  it("lets the PSU cancel (access_denied)", async () => {
    const browser = openBrowser(auth);
    const page = await browser.follow(await browser.get(authorizePath(application)));
    const back = await browser.follow(await browser.post(page, "cancel"));
    const parameters = expectRedirect(back, "access_denied");
    expect(parameters.get("state")).to.equal("xyz");
    expect(parameters.get("error_description")).to.equal("the PSU declined");
  });

  it("tells the application why the PSU returns without having declined (RTS Article 36(2))", async () => {
    const browser = openBrowser(auth);
    const { answer: inTime } = auth.accounts;
    const cases = [
      ["temporarily_unavailable", "the accounts of the PSU cannot be read at the moment", { status: 503 }],
      ["access_denied", "the PSU has no account that could be shared", { body: '{"accounts":[]}' }],
    ] as const;
    for (const [error, description, answer] of cases) {
      const page = await browser.follow(await browser.get(authorizePath(application)));
      auth.accounts.answer = { ...inTime, ...answer };
      const told = await browser.follow(await signIn(auth, browser, page));
      const back = await browser.follow(await browser.post(told, "cancel"));
      auth.accounts.answer = inTime;
      expect(expectRedirect(back, error).get("error_description")).to.equal(description);
    }
  });

  it("tells the application that the consent has ended when another tab replaced it before its code", async () => {
    const browser = openBrowser(auth);
    const reachConsent = async () => {
      const page = await browser.follow(await browser.get(authorizePath(application)));
      return browser.follow(await signIn(auth, browser, page));
    };
    const giveAt = (page: RawAnswer) => browser.post(page, "consent", { choice: "all" });
    const [first, second] = [await reachConsent(), await reachConsent()];
    const given = await giveAt(first);
    const later = await browser.follow(await giveAt(await giveAt(second)));
    expect(new URL(String(later.headers.location)).searchParams.has("code")).to.equal(true);
    const parameters = expectRedirect(await browser.follow(given), "access_denied");
    expect(parameters.get("error_description")).to.equal("the consent has ended");
  });

  it("redirects to an address that is older than the rule for queries, but refuses to register it again", async () => {
    const older = await register(auth);
    const redirect_uri = "https://tpp.example/callback?error=x&a=%E1";
    const values = [older.client_id, [redirect_uri]];
    await auth.database.pool.query("UPDATE application SET redirect_uris = $2 WHERE id = $1", values);
    const back = await consent(auth, older, { request: { redirect_uri } });
    expect(back.searchParams.has("code")).to.equal(true);
    const refused = await auth.call({
      method: "PUT",
      path: `${APPLICATIONS}/${older.client_id}`,
      headers: JSON_BODY,
      body: JSON.stringify({ ...REGISTRATION, redirect_uris: [redirect_uri] }),
    });
    expect(refused.status).to.equal(400);
    expect(JSON.parse(refused.body).error).to.equal("invalid_redirect_uri");
  });

  it("never redirects to an address that was removed meanwhile, at any step (REG-11)", async () => {
    const changing = await register(auth);
    const removeAddress = (redirect_uris: readonly string[]) =>
      auth.call({
        method: "PUT",
        path: `${APPLICATIONS}/${changing.client_id}`,
        headers: JSON_BODY,
        body: JSON.stringify({ ...REGISTRATION, redirect_uris }),
      });
    const browser = openBrowser(auth);
    const page = await browser.follow(await browser.get(authorizePath(changing)));
    const consentPage = await browser.follow(await signIn(auth, browser, page));
    await removeAddress(["https://tpp.example/other"]);
    expectPage(await browser.post(consentPage, "cancel"), 404);
    expectPage(await browser.post(consentPage, "consent", { choice: "all" }), 404);
    await removeAddress([REDIRECT_URI]);
    const given = await browser.post(consentPage, "consent", { choice: "all" });
    expect(given.status).to.equal(303);
    await removeAddress(["https://tpp.example/other"]);
    expectPage(await browser.follow(given), 400);
  });

  it("answers invalid_scope at any step once the application has lost a requested scope (RFC 6749 4.1.2.1)", async () => {
    const request = { scope: "aisp pisp" };
    const begin = async () => {
      const changing = await register(auth);
      const browser = openBrowser(auth);
      const page = await browser.follow(await browser.get(authorizePath(changing, request)));
      const path = String(
        [...browser.cookies.values()].find(({ name }) => name.endsWith("interaction"))?.path,
      );
      const narrow = () =>
        auth.call({
          method: "PUT",
          path: `${APPLICATIONS}/${changing.client_id}`,
          headers: JSON_BODY,
          body: JSON.stringify({ ...REGISTRATION, scopes: ["aisp"] }),
        });
      return { changing, browser, page, path, narrow };
    };
    type Begun = Awaited<ReturnType<typeof begin>>;
    const reachConsent = async ({ browser, page }: Begun) =>
      browser.follow(await signIn(auth, browser, page));
    const expectRefused = async ({ changing, browser }: Begun, answer: RawAnswer) => {
      const parameters = expectRedirect(await browser.follow(answer), "invalid_scope");
      expect(parameters.get("scope")).to.equal("pisp");
      expect(parameters.get("state")).to.equal("xyz");
      expect(parameters.get("error_description")).to.contain("no longer registered for this application");
      const text = "SELECT count(*)::int AS given FROM consent WHERE application_id = $1";
      const given = await auth.database.run({ name: "given", text, values: [changing.client_id] });
      expect(given).to.deep.equal([{ given: 0 }]);
    };
    const steps: readonly ((begun: Begun) => Promise<RawAnswer>)[] = [
      async ({ browser, path, narrow }) => {
        await narrow();
        return browser.get(path);
      },
      async ({ browser, page, narrow }) => {
        await narrow();
        return signIn(auth, browser, page);
      },
      async ({ browser, page, narrow }) => {
        const signedIn = await signIn(auth, browser, page);
        await narrow();
        return signedIn;
      },
      async (begun) => {
        const consentPage = await reachConsent(begun);
        await begun.narrow();
        return begun.browser.post(consentPage, "consent", { choice: "all" });
      },
      async (begun) => {
        await reachConsent(begun);
        await begun.narrow();
        const paths = [...begun.browser.cookies.values()].map(({ path }) => path);
        return begun.browser.get(String(paths.findLast((path) => path.startsWith("/oauth/interaction/"))));
      },
      async (begun) => {
        const consentPage = await reachConsent(begun);
        const { answer } = auth.accounts;
        auth.accounts.answer = { ...answer, before: begun.narrow };
        const given = await begun.browser.post(consentPage, "consent", { choice: "all" });
        auth.accounts.answer = answer;
        return given;
      },
    ];
    for (const step of steps) {
      const begun = await begin();
      await expectRefused(begun, await step(begun));
    }
    const begun = await begin();
    await begun.narrow();
    expectRedirect(
      await begun.browser.follow(await begun.browser.post(begun.page, "cancel")),
      "access_denied",
    );
  });

  it("counts only the PSU's first answer: a declined consent cannot be given, nor a given one declined", async () => {
    const browser = openBrowser(auth);
    const reachConsent = async () => {
      const page = await browser.follow(await browser.get(authorizePath(application)));
      return browser.follow(await signIn(auth, browser, page));
    };
    const declinedPage = await reachConsent();
    const declined = await browser.post(declinedPage, "cancel");
    expectPage(await browser.post(declinedPage, "consent", { choice: "all" }), 404);
    expectRedirect(await browser.follow(declined), "access_denied");
    const givenPage = await reachConsent();
    const given = await browser.post(givenPage, "consent", { choice: "all" });
    expectPage(await browser.post(givenPage, "cancel"), 404);
    const back = new URL(String((await browser.follow(given)).headers.location));
    expect(back.searchParams.has("code")).to.equal(true);
  });

  describe("while the database cannot store the PSU's answer", () => {
    const run = (text: string) => auth.database.pool.query(text);
    before(() =>
      run(`CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE 'lost' USING ERRCODE = 'deadlock_detected'; END $$`),
    );
    after(() => run("DROP FUNCTION lose()"));

    /** A consent page on which the PSU has consented to all accounts, and seen that to fail. */
    async function failAt(table: string, rows = "true") {
      const browser = openBrowser(auth);
      const signInPage = await browser.follow(await browser.get(authorizePath(application)));
      const page = await browser.follow(await signIn(auth, browser, signInPage));
      await run(`CREATE TRIGGER losing BEFORE INSERT ON ${table} FOR EACH ROW WHEN (${rows})
        EXECUTE FUNCTION lose()`);
      try {
        expectPage(await browser.post(page, "consent", { choice: "all" }), 503);
      } finally {
        await run(`DROP TRIGGER losing ON ${table}`);
      }
      return { browser, page };
    }

    it("lets the PSU decline a consent that was not stored", async () => {
      const { browser, page } = await failAt("consent");
      expectRedirect(await browser.follow(await browser.post(page, "cancel")), "access_denied");
    });

    it("keeps a stored consent, for the same accounts only, when the way back was lost", async () => {
      const { browser, page } = await failAt("ephemeral_record", "NEW.kind = 'Interaction'");
      expectPage(await browser.post(page, "cancel"), 404);
      const one = { choice: "some", account: "account-1" };
      expectPage(await browser.post(page, "consent", one), 404);
      const given = await browser.follow(await browser.post(page, "consent", { choice: "all" }));
      expect(new URL(String(given.headers.location)).searchParams.has("code")).to.equal(true);
    });

    it("leads on from the page, loaded again, with a consent that was stored when the way back was lost", async () => {
      const { browser, page } = await failAt("ephemeral_record", "NEW.kind = 'Interaction'");
      const [, address = ""] = /action="([^"]+)\/consent"/.exec(page.body) ?? [];
      const given = await browser.follow(await browser.get(address));
      expect(new URL(String(given.headers.location)).searchParams.has("code")).to.equal(true);
    });
  });

  it("counts the first answer also while it is being stored, so that no refusal is sent beside a consent", async () => {
    const asking = await register(auth);
    const former = await consent(auth, asking);
    expect(former.searchParams.has("code")).to.equal(true);
    const browser = openBrowser(auth);
    const page = await browser.follow(await browser.get(authorizePath(asking)));
    const consentPage = await browser.follow(await signIn(auth, browser, page));
    const waits = {
      name: "waits-for-us",
      text: "SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))",
      values: [],
    };
    const { declined, giving } = await auth.database.transaction(async (queries) => {
      const values = [asking.client_id];
      const text = "SELECT FROM application WHERE id = $1 FOR UPDATE";
      await queries.run({ name: "hold-application", text, values });
      const giving = browser.post(consentPage, "consent", { choice: "all" });
      await eventually(async () => (await queries.run(waits)).length > 0);
      return { declined: await browser.follow(await browser.post(consentPage, "cancel")), giving };
    });
    const told = await browser.follow(await giving);
    expectPage(declined, 404);
    expect(new URL(String(told.headers.location)).searchParams.has("code")).to.equal(true);
  });

  it("continues an authorization only in the browser that began it", async () => {
    const browser = openBrowser(auth);
    const start = await browser.get(authorizePath(application));
    const stranger = openBrowser(auth);
    const page = await stranger.get(String(start.headers.location).replace(ISSUER, ""));
    expect(page.status).to.be.within(400, 499);
  });

  it("gives an attacker nothing when the PSU signs in with cookies planted from the attacker's browser", async () => {
    const thief = openBrowser(auth);
    const start = await thief.get(authorizePath(application));
    const path = String(start.headers.location).replace(ISSUER, "");
    const victim = openBrowser(auth);
    for (const cookie of thief.cookies.values()) if (cookie.path === path) victim.plant(cookie);
    const signedIn = await signIn(auth, victim, await victim.get(path));
    expect(signedIn.status).to.equal(303);
    const resume = String(signedIn.headers.location).replace(ISSUER, "");
    const resumed = await thief.follow(await thief.get(resume));
    expect(resumed.status).to.be.within(400, 499);
    expect(resumed.body).to.not.contain("account-1");
  });

  it("resumes after sign-in and after consent only in the PSU's own browser, where it then continues", async () => {
    const [thief, victim] = [openBrowser(auth), openBrowser(auth)];
    const placeOf = ({ headers }: RawAnswer) => String(headers.location).replace(ISSUER, "");
    const handOver = (from: PsuBrowser, to: PsuBrowser) => {
      for (const cookie of from.cookies.values()) if (cookie.path !== "/") to.plant(cookie);
    };
    const start = await thief.get(authorizePath(application));
    handOver(thief, victim);
    const signedIn = await signIn(auth, victim, await victim.get(placeOf(start)));
    expectPage(await thief.get(placeOf(signedIn)), 400);
    const step = placeOf(await victim.get(placeOf(signedIn)));
    handOver(victim, thief);
    expectPage(await thief.get(step), 404);
    const given = await victim.post(await victim.get(step), "consent", { choice: "all" });
    handOver(victim, thief);
    expectPage(await thief.get(placeOf(given)), 400);
    expect((await victim.follow(given)).headers.location).to.contain("code=");
  });

  it("does not resume after sign-in with the cookies that the browser had before it (UI-05)", async () => {
    const [victim, thief] = [openBrowser(auth), openBrowser(auth)];
    const page = await victim.follow(await victim.get(authorizePath(application)));
    for (const cookie of victim.cookies.values()) thief.plant(cookie);
    const interaction = [...victim.cookies.values()].find(({ name }) => name === "__Secure-interaction");
    const signedIn = await signIn(auth, victim, page);
    const resume = String(signedIn.headers.location).replace(ISSUER, "");
    expectPage(await thief.get(resume), 400);
    const asked = await thief.get(interaction?.path ?? "");
    expectPage(asked, 200);
    expect(asked.body).to.contain("current-password");
    const shown = await victim.follow(signedIn);
    const back = await victim.follow(await victim.post(shown, "consent", { choice: "all" }));
    expect(back.headers.location).to.contain("code=");
  });

  it("asks the PSU to sign in again when the answer to their sign-in was lost, and then continues", async () => {
    const [browser, lost] = [openBrowser(auth), openBrowser(auth)];
    const page = await browser.follow(await browser.get(authorizePath(application)));
    for (const cookie of browser.cookies.values()) lost.plant(cookie);
    expect((await signIn(auth, lost, page)).status).to.equal(303);
    const again = await browser.follow(await signInNow(auth, browser, page));
    expect(again.body).to.contain("current-password");
    const shown = await browser.follow(await signIn(auth, browser, again));
    const back = await browser.follow(await browser.post(shown, "consent", { choice: "all" }));
    expect(back.headers.location).to.contain("code=");
  });

  it("lets another PSU sign in, with a new session, in a browser that the first has used", async () => {
    const browser = openBrowser(auth);
    await consent(auth, application, { browser, username: "jana" });
    const session = browser.cookies.get("__Host-session")?.value;
    const back = await consent(auth, application, { browser, username: "petr" });
    expect(back.searchParams.has("code")).to.equal(true);
    expect(browser.cookies.get("__Host-session")?.value).not.to.equal(session);
  });

  it("keeps two tabs apart, and ends what one PSU began when another signs in in the same browser", async () => {
    const browser = openBrowser(auth);
    const reachConsent = async (username: string) => {
      const page = await browser.follow(await browser.get(authorizePath(application)));
      return browser.follow(await signIn(auth, browser, page, username));
    };
    const giveAt = (page: RawAnswer) => browser.post(page, "consent", { choice: "all" });
    const [first, second] = [await reachConsent("jana"), await reachConsent("jana")];
    const expectCode = async (given: RawAnswer) => {
      const back = await browser.follow(given);
      expect(new URL(String(back.headers.location)).searchParams.has("code")).to.equal(true);
    };
    await expectCode(await giveAt(first));
    // The second tab was opened before that consent was given, and does not tell what it would replace.
    const shownAnew = await giveAt(second);
    expectPage(shownAnew, 422);
    await expectCode(await giveAt(shownAnew));
    const ofJana = await reachConsent("jana");
    await reachConsent("petr");
    expectPage(await giveAt(ofJana), 404);
  });

  it("sets its cookies signed, Secure, HttpOnly, SameSite=Lax and with narrow paths", async () => {
    const browser = openBrowser(auth);
    const start = await browser.get(authorizePath(application));
    const cookies = [start.headers["set-cookie"] ?? []].flat();
    expect(cookies).to.have.length(4);
    for (const cookie of cookies) {
      expect(cookie).to.match(/^__Secure-(interaction|resume)(\.sig)?=/);
      expect(cookie)
        .to.match(/; secure/i)
        .and.match(/; httponly/i)
        .and.match(/; samesite=lax/i);
      expect(cookie).to.match(/; path=\/oauth\/(interaction|authorize)\/[A-Za-z0-9_-]{20,};/);
    }
    const page = await browser.follow(start);
    const signedIn = await signIn(auth, browser, page);
    const resumed = await browser.get(String(signedIn.headers.location).replace(ISSUER, ""));
    const session = [resumed.headers["set-cookie"] ?? []].flat().filter((each) => each.startsWith("__Host-"));
    expect(session).to.have.length(2);
    for (const cookie of session)
      expect(cookie)
        .to.match(/; path=\/;.*secure/i)
        .and.not.match(/domain=/i);
  });

  it("sets Max-Age on every cookie that expires, because a device's clock may be fast (RFC 6265 5.3)", async () => {
    const browser = openBrowser(auth);
    const start = await browser.get(authorizePath(application));
    const page = await browser.follow(start);
    const signedIn = await signIn(auth, browser, page);
    const resumed = await browser.get(String(signedIn.headers.location).replace(ISSUER, ""));
    const ages = [start, resumed]
      .flatMap(({ headers }) => headers["set-cookie"] ?? [])
      .map((cookie) => [cookie.split("=", 1)[0], Number(/; max-age=(\d+)$/.exec(cookie)?.[1])] as const);
    expect(ages.map(([name]) => name)).to.include.members(["__Secure-interaction", "__Host-session"]);
    for (const [name, age] of ages) expect(age, name).to.be.within(0, 11 * 60);
    expect(Object.fromEntries(ages)["__Secure-interaction"], "for as long as before").to.be.within(595, 600);
  });

  it("stores no cookie value in the database", async () => {
    const browser = openBrowser(auth);
    const page = await browser.follow(await browser.get(authorizePath(application)));
    await browser.follow(await signIn(auth, browser, page));
    const text = "SELECT e::text AS row FROM ephemeral_record e";
    const rows = await auth.database.run<{ row: string }>({ name: "dump", text, values: [] });
    const stored = rows.map(({ row }) => row).join("\n");
    expect(stored).to.contain("Interaction").and.to.contain("Session");
    expect(browser.cookies.size).to.be.greaterThan(5);
    for (const { value } of browser.cookies.values()) expect(stored).not.to.contain(value);
  });

  it("refuses a cookie with a wrong signature", async () => {
    const browser = openBrowser(auth);
    const start = await browser.get(authorizePath(application));
    const path = String(start.headers.location).replace(ISSUER, "");
    const cookie = [...browser.cookies.values()]
      .map(({ name, value }) => `${name}=${name.endsWith(".sig") ? value.replace(/.$/, "") : value}`)
      .join("; ");
    const answer = await auth.browse({ path, headers: { cookie } });
    expect(answer.status).to.be.within(400, 499);
  });

  it("is reached from the API host by a 303 redirect with the same query", async () => {
    const path = `${authorizePath(application)}&more=%2F..%2F`;
    const answer = await auth.call({ certificate: null, path });
    expect(answer.status).to.equal(303);
    expect(answer.headers.location).to.equal(`${ISSUER}${path}`);
  });
});
