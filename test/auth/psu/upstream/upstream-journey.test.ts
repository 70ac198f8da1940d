import { parsePsuId } from "@cobs/cobs-model";
import { expect } from "chai";
import { movableDate } from "../../../support/movable-date.ts";
import type { RawAnswer } from "../../../support/raw-https.ts";
import { authorizePath, openBrowser, type PsuBrowser } from "../../psu-browser.ts";
import { ISSUER, type RunningAuth, runAuth } from "../../running-auth.ts";
import { REDIRECT_URI, register, type TestApplication } from "../../test-application.ts";
import type { AtBank, DoneAtBank } from "./bank-provider.ts";
import { RETURN_URI, type RunningUpstream, runUpstream } from "./running-upstream.ts";

const MINUTE = 60_000;
const JANA: AtBank = { psu: "bank-0042", name: "Jana Nováková" };

describe("Sign-in at the bank's own OpenID provider", function journeys() {
  // Fifty returns at once are slow where others work too.
  this.timeout(120_000);
  let upstream: RunningUpstream;
  let auth: RunningAuth;
  let application: TestApplication;
  before(async () => {
    upstream = await runUpstream();
    auth = await runAuth(upstream.variables);
    application = await register(auth);
  });
  after(async () => {
    await auth.stop();
    await upstream.close();
  });
  const date = movableDate();
  afterEach(() => date.restore());
  beforeEach(() => {
    // The provider goes by the machine's clock, as providers do.
    auth.clock.setWall(Date.now() - auth.clock.now().getTime());
    upstream.provider.away = false;
  });

  /** As far as the address at the provider to which the browser is led. */
  async function lead(browser: PsuBrowser): Promise<string> {
    const answer = await browser.follow(await browser.get(authorizePath(application)));
    expect(answer.status, answer.body).to.equal(303);
    return String(answer.headers.location);
  }

  const own = (url: URL) => url.href.slice(ISSUER.length);
  const comeBack = async (browser: PsuBrowser, back: URL) => browser.follow(await browser.get(own(back)));
  const signIn = async (browser: PsuBrowser, psu: DoneAtBank = JANA): Promise<RawAnswer> =>
    comeBack(browser, await upstream.provider.signIn(await lead(browser), psu));

  const actionsOf = async (psu: string) => {
    const text = "SELECT action, details FROM audit_entry WHERE subject = $1 ORDER BY id";
    const rows = await auth.database.run<{ action: string; details: string }>({
      name: "test-audit-of-subject",
      text,
      values: [psu],
    });
    return rows.map(({ action, details }) => [action, JSON.parse(details)]);
  };

  it("asks for a fresh and strong authentication, with PKCE, state and nonce (OIDC Core 3.1.2.1, RFC 7636)", async () => {
    const { origin, searchParams } = new URL(await lead(openBrowser(auth)));
    expect(origin).to.equal(upstream.provider.issuer);
    const asked = Object.fromEntries(searchParams);
    expect(asked).to.include({
      response_type: "code",
      redirect_uri: RETURN_URI,
      scope: "openid profile",
      prompt: "login",
      max_age: "0",
      code_challenge_method: "S256",
      acr_values: "urn:bank.example:sca",
    });
    expect(asked.code_challenge).to.have.length(43);
    expect(asked.nonce).to.have.length(43);
    expect(JSON.parse(asked.claims ?? "")).to.deep.equal({
      id_token: {
        auth_time: { essential: true },
        name: null,
        acr: { essential: true, values: ["urn:bank.example:sca"] },
      },
    });
  });

  it("asks in the language of the page, which a TPP may name, or a PSU have chosen (OIDC Core 3.1.2.1)", async () => {
    const browser = openBrowser(auth);
    const askedIn = async (path: string) =>
      new URL(String((await browser.follow(await browser.get(path))).headers.location)).searchParams.get(
        "ui_locales",
      );
    expect(await askedIn(authorizePath(application))).to.equal("cs");
    expect(await askedIn(authorizePath(application, { ui_locales: "de en" }))).to.equal("en");
    await browser.get("/consents?lang=en");
    expect(await askedIn(authorizePath(application, { ui_locales: "cs" }))).to.equal("en");
  });

  it("asks in the language that a PSU has chosen since the sign-in began, with the same question", async () => {
    const browser = openBrowser(auth);
    const asked = async (path: string) => new URL(String((await browser.get(path)).headers.location));
    const [begun, switched] = [await asked("/consents"), await asked("/consents?lang=en")];
    const again = await asked("/consents");
    expect([begun, switched, again].map(({ searchParams }) => searchParams.get("ui_locales"))).to.deep.equal([
      "cs",
      "en",
      "en",
    ]);
    for (const { searchParams } of [begun, switched, again]) searchParams.delete("ui_locales");
    expect([switched.href, again.href]).to.deep.equal([begun.href, begun.href]);
  });

  it("has no page of authenticators, and no link to one", async () => {
    const browser = openBrowser(auth);
    await signIn(browser);
    expect((await browser.get("/consents")).body)
      .to.contain("Jana Nováková")
      .and.not.contain("/authenticator");
    expect((await browser.get("/authenticator")).status).to.equal(404);
  });

  it("lets no page say that sign-in details belong to our address, since PSUs type them at the provider's", async () => {
    const browser = openBrowser(auth);
    await signIn(browser);
    const page = await browser.get("/consents?lang=en");
    expect(page.body).to.contain("Who has access").and.not.contain("Enter your sign-in details");
  });

  it("leads from the provider to the consent, with the PSU's name, and on to a code", async () => {
    const browser = openBrowser(auth);
    const page = await signIn(browser);
    expect(page.body).to.contain("Jana Nováková");
    const back = await browser.follow(await browser.post(page, "consent", { choice: "all" }));
    const location = new URL(String(back.headers.location));
    expect(location.href).to.satisfy((href: string) => href.startsWith(REDIRECT_URI));
    expect(location.searchParams.get("code")).to.be.a("string");
  });

  it("counts from the authentication at the provider, however late the browser is back (RTS Articles 4, 10)", async () => {
    const psu = { psu: "bank-late", name: "L" };
    const arriveLate = async () => {
      const browser = openBrowser(auth);
      const back = await upstream.provider.signIn(await lead(browser), psu);
      const now = Date.now();
      auth.clock.advance(4 * MINUTE);
      return { browser, authenticatedAt: now, page: await comeBack(browser, back) };
    };
    const inTime = await arriveLate();
    await inTime.browser.follow(await inTime.browser.post(inTime.page, "consent", { choice: "all" }));
    const text = "SELECT authenticated_at AS at FROM consent WHERE psu_id = $1";
    const [row] = await auth.database.run<{ at: Date }>({
      name: "test-authenticated-at",
      text,
      values: [psu.psu],
    });
    expect(row?.at.getTime()).to.be.within(inTime.authenticatedAt - 10_000, inTime.authenticatedAt);
    auth.clock.setWall(Date.now() - auth.clock.now().getTime());
    const tooLate = await arriveLate();
    auth.clock.advance(1.5 * MINUTE);
    const answer = await tooLate.browser.post(tooLate.page, "consent", { choice: "all" });
    expect(answer.status).to.equal(403);
  });

  it("is recorded in the audit log with its method", async () => {
    await signIn(openBrowser(auth), { psu: "bank-audited", name: "A" });
    expect(await actionsOf("bank-audited")).to.deep.equal([["psu.signed_in", { methods: ["upstream"] }]]);
  });

  it("stores no state, nonce or challenge in clear meanwhile (RFC 7636 7.1)", async () => {
    const { searchParams } = new URL(await lead(openBrowser(auth)));
    const [state = "", nonce = ""] = ["state", "nonce"].map((name) => searchParams.get(name) ?? "");
    const text = "SELECT payload::text AS kept FROM ephemeral_record WHERE kind = 'SignIn'";
    const rows = await auth.database.run<{ kept: string }>({ name: "test-sign-ins", text, values: [] });
    const kept = rows.map((row) => row.kept).join();
    expect(kept).to.contain("upstream");
    for (const secret of [state, nonce, searchParams.get("code_challenge") ?? ""])
      expect(kept).not.to.contain(secret);
  });

  it("succeeds once, of fifty returns of one answer at once", async () => {
    const browser = openBrowser(auth);
    const psu = { psu: "bank-fifty", name: "F" };
    const back = await upstream.provider.signIn(await lead(browser), psu);
    const pages = await Promise.all(Array.from({ length: 50 }, () => comeBack(browser, back)));
    expect(await actionsOf(psu.psu)).to.have.length(1);
    expect(pages.filter(({ body }) => body.includes('name="choice"'))).to.have.length(1);
    expect(pages.filter(({ status }) => status >= 500)).to.deep.equal([]);
  });

  it("is refused in a browser that did not begin it (RFC 6749 10.12)", async () => {
    const psu = { psu: "bank-other-browser", name: "O" };
    const back = await upstream.provider.signIn(await lead(openBrowser(auth)), psu);
    const [stranger, another] = [openBrowser(auth), openBrowser(auth)];
    await lead(another);
    for (const browser of [stranger, another]) {
      const answer = await comeBack(browser, back);
      expect(answer.status).to.be.oneOf([400, 404]);
      expect(answer.body).not.to.contain('name="choice"');
    }
    expect(await actionsOf(psu.psu)).to.deep.equal([]);
  });

  it("is refused in a browser into which somebody has planted their own sign-in (RFC 6749 10.12)", async () => {
    const psu = { psu: "bank-planted", name: "P" };
    const [attacker, victim] = [openBrowser(auth), openBrowser(auth)];
    for (const browser of [attacker, victim]) await browser.get("/consents");
    const planted = `__Secure-sign-in=${attacker.cookies.get("__Secure-sign-in;/consents")?.value}`;
    const named = `__Host-psu-browser=${victim.cookies.get("__Host-psu-browser")?.value}`;
    const page = await attacker.get("/consents");
    const back = await upstream.provider.signIn(String(page.headers.location), psu);
    const { location } = (await attacker.get(own(back))).headers;
    for (const cookie of [planted, `${planted}; ${named}`]) {
      const answer = await auth.browse({ path: String(location), headers: { cookie } });
      expect([answer.status, answer.headers.location]).to.deep.equal([303, "/consents"]);
      expect(answer.headers["set-cookie"]).to.equal(undefined);
    }
    expect(await actionsOf(psu.psu)).to.deep.equal([]);
    expect((await attacker.get(String(location))).headers["set-cookie"]).to.have.length.above(1);
  });

  it("succeeds in both of two tabs opened at once in a new browser, in one after a second visit there", async () => {
    const browser = openBrowser(auth);
    const begun = [
      await browser.get(authorizePath(application)),
      await browser.get(authorizePath(application)),
    ];
    const away = await Promise.all(begun.map((answer) => browser.follow(answer)));
    const pages: RawAnswer[] = [];
    for (const { headers } of away)
      pages.push(await comeBack(browser, await upstream.provider.signIn(String(headers.location), JANA)));
    const led = pages.filter(({ status }) => status === 303);
    expect(led).to.have.length(1);
    for (const { headers } of led)
      pages.push(await comeBack(browser, await upstream.provider.signIn(String(headers.location), JANA)));
    expect(pages.filter(({ body }) => body.includes('name="choice"'))).to.have.length(2);
  });

  it("says so when the PSU gives up there, and leads back to the application", async () => {
    const browser = openBrowser(auth);
    const page = await signIn(browser, "gives up");
    expect(page.status).to.equal(403);
    expect(page.body, "a switch of the language would lead to the provider").not.to.contain("lang=en");
    const back = await browser.follow(await browser.post(page, "cancel"));
    expect(new URL(String(back.headers.location)).searchParams.get("error")).to.equal("access_denied");
  });

  it("has ended, with the authorization, for a PSU who is back after ten minutes", async () => {
    const psu = "bank-eleven-minutes";
    const browser = openBrowser(auth);
    const back = await upstream.provider.signIn(await lead(browser), { psu, name: "E" });
    auth.clock.advance(11 * MINUTE);
    date.advance(11 * MINUTE);
    const page = await comeBack(browser, back);
    expect(page.status).to.equal(404);
    expect(page.body).to.not.contain("<form").and.not.contain('href="/oauth');
    expect(auth.lastCall()).to.include({ refusal: "interaction_unknown" });
    expect(await actionsOf(psu)).to.deep.equal([]);
  });

  it("can be begun and finished again after a refusal", async () => {
    const browser = openBrowser(auth);
    const page = await signIn(browser, "gives up");
    const retry = /href="(\/oauth\/interaction\/[^"]+)"/.exec(page.body)?.[1] ?? "";
    const again = await browser.follow(await browser.get(retry));
    const back = await upstream.provider.signIn(String(again.headers.location), JANA);
    expect((await comeBack(browser, back)).body).to.contain("Jana Nováková");
  });

  it("takes any error that is written into the address for a failed sign-in (RFC 6749 4.1.2.1)", async () => {
    const counted = "SELECT count(*)::int AS n FROM audit_entry WHERE action = 'psu.sign_in_refused'";
    const refusals = async () =>
      (await auth.database.run<{ n: number }>({ name: "test-refusals", text: counted, values: [] }))[0]?.n ??
      0;
    for (const error of ["words of mine", "server_error", "temporarily_unavailable"]) {
      const [redeemed, refused] = [upstream.provider.count("/token"), await refusals()];
      const browser = openBrowser(auth);
      const { searchParams } = new URL(String((await browser.get("/consents")).headers.location));
      const state = searchParams.get("state") ?? "";
      const written = new URLSearchParams({ error, state, iss: upstream.provider.issuer });
      const page = await comeBack(browser, new URL(`${RETURN_URI}?${written}`));
      expect([page.status, page.headers["retry-after"]], error).to.deep.equal([403, undefined]);
      expect(page.body).to.contain('href="/consents"');
      expect(upstream.provider.count("/token")).to.equal(redeemed);
      expect(await refusals()).to.equal(refused + 1);
    }
  });

  it("is refused to a PSU whom the bank has blocked, as with a wrong password", async () => {
    const psu = "bank-blocked";
    await signIn(openBrowser(auth), { psu, name: "B" });
    const body = JSON.stringify({ psuId: psu, reason: "fraud" });
    const text = "INSERT INTO psu_block (psu_id, reason, blocked_by, blocked_at) VALUES ($1, $2, $3, $4)";
    const values = [psu, body, "test", auth.clock.now()];
    await auth.database.run({ name: "test-block", text, values });
    expect((await signIn(openBrowser(auth), { psu, name: "B" })).status).to.equal(403);
    expect((await actionsOf(psu)).map(([action]) => action)).to.deep.equal([
      "psu.signed_in",
      "psu.sign_in_refused",
    ]);
  });

  it("can be finished in another process than it began in", async () => {
    const beside = await runAuth(upstream.variables, auth);
    try {
      const browser = openBrowser(auth);
      const back = await upstream.provider.signIn(await lead(browser), JANA);
      const cookie = [...browser.cookies.values()].map(({ name, value }) => `${name}=${value}`).join("; ");
      const first = await beside.browse({ path: own(back), headers: { cookie } });
      const entered = await beside.browse({ path: String(first.headers.location), headers: { cookie } });
      expect(String(entered.headers.location)).to.contain("/oauth/authorize/");
    } finally {
      await beside.stop();
    }
  });

  it("shows the PSU's name as the provider gave it last", async () => {
    const psu = parsePsuId("bank-renamed");
    await signIn(openBrowser(auth), { psu, name: "Eva Malá" });
    const page = await signIn(openBrowser(auth), { psu, name: "Eva Velká" });
    expect(page.body).to.contain("Eva Velká").and.not.to.contain("Eva Malá");
  });

  it("answers 503 while the provider is away, even from the start, and works when it is back", async () => {
    upstream.provider.away = true;
    const other = await runAuth(upstream.variables);
    try {
      const client = await register(other);
      const browser = openBrowser(other);
      const answer = await browser.follow(await browser.get(authorizePath(client)));
      expect([answer.status, answer.headers["retry-after"]]).to.deep.equal([503, "2"]);
      upstream.provider.away = false;
      other.clock.advance(2_000);
      const again = await browser.follow(await browser.get(authorizePath(client)));
      expect(String(again.headers.location)).to.contain(upstream.provider.issuer);
    } finally {
      await other.stop();
    }
  });

  it("answers 503 when the provider goes away during it, and can be begun again", async () => {
    const browser = openBrowser(auth);
    const back = await upstream.provider.signIn(await lead(browser), JANA);
    upstream.provider.away = true;
    expect((await comeBack(browser, back)).status).to.equal(503);
    upstream.provider.away = false;
    const again = await comeBack(browser, back);
    const anew = await upstream.provider.signIn(String(again.headers.location), JANA);
    expect((await comeBack(browser, anew)).body).to.contain("Jana Nováková");
  });
});
