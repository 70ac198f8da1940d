import { expect } from "chai";
import { Secret, TOTP } from "otpauth";
import { en } from "../../packages/auth/src/pages/texts/en.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { authorizePath, openBrowser, type PsuBrowser, signIn, signInNow, statusOf } from "./psu-browser.ts";
import { PSUS, type RunningAuth, runAuth } from "./running-auth.ts";
import { openDesk, pathOf } from "./signing/signing-desk.ts";
import { FORM_BODY, register, type TestApplication } from "./test-application.ts";

const MINUTE = 60_000;

describe("Signing out", function signingOut() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let application: TestApplication;
  let browser: PsuBrowser;

  before(async () => {
    auth = await runAuth();
    application = await register(auth);
  });
  beforeEach(() => {
    auth.clock.advance(61 * MINUTE);
    browser = openBrowser(auth);
  });
  after(() => auth.stop());

  /** The answer to a right sign-in for an authorization, which leads to its consent page. */
  async function signInFor(to: PsuBrowser, username = "jana"): Promise<RawAnswer> {
    const first = await to.follow(await to.get(`${authorizePath(application)}&ui_locales=en`));
    return signIn(auth, to, first, username);
  }

  /** The consent page of an authorization of its own, with its path. */
  async function arrive(to = browser, username = "jana") {
    const resumed = new URL(String((await signInFor(to, username)).headers.location));
    const answer = await to.get(resumed.pathname);
    const path = String(answer.headers.location);
    const page = await to.get(path);
    expect(page.body).to.contain("account-1");
    return { path, page };
  }

  async function signOut(from = "/consents", to = browser): Promise<RawAnswer> {
    const gone = await to.post(await to.get(`${from}?lang=en`), "sign-out");
    expect(gone.body).to.contain("You have signed out");
    return gone;
  }

  const decide = (page: RawAnswer, at = browser) => at.post(page, "consent", { choice: "all" });

  /** What the TPP is told in the end. */
  async function toldBy(answer: RawAnswer, at = browser): Promise<URLSearchParams> {
    const back = await at.follow(answer);
    return new URL(String(back.headers.location ?? "https://nowhere.example/")).searchParams;
  }

  /** A form as this browser would post it, for whichever process. */
  function posting({ body }: RawAnswer, name: string, fields: Readonly<Record<string, string>> = {}) {
    const form = body.split("<form").find((part) => part.split(">", 1)[0]?.includes(`/${name}"`)) ?? "";
    const hidden = [
      ...(form.split("</form>")[0]?.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g) ?? []),
    ];
    const sent = new URLSearchParams(
      hidden.map(([, key = "", value = ""]): [string, string] => [key, value]),
    );
    for (const [key, value] of Object.entries(fields)) sent.set(key, value);
    const path = /action="([^"]+)"/.exec(form)?.[1] ?? "";
    const cookie = [...browser.cookies.values()]
      .filter((each) => path.startsWith(each.path))
      .map(({ name: key, value }) => `${key}=${value}`)
      .join("; ");
    return { method: "POST", path, headers: { ...FORM_BODY, cookie }, body: sent.toString() };
  }

  async function consents(): Promise<number> {
    const text = "SELECT id FROM consent WHERE application_id = $1";
    const values = [application.client_id];
    return (await auth.database.run({ name: "given-consents", text, values })).length;
  }

  function expectEnded(answer: RawAnswer): void {
    expect([answer.status, answer.body.includes("account-1")]).to.deep.equal([403, false]);
    expect(answer.body).to.contain("You have been signed out");
  }

  it("ends the consent page of an authorization, which then leads back to the TPP", async () => {
    const { path } = await arrive();
    await signOut();
    const page = await browser.get(path);
    expectEnded(page);
    const told = await toldBy(await browser.post(page, "cancel"));
    expect([told.get("error"), told.get("code")]).to.deep.equal(["access_denied", null]);
  });

  it("prevents a consent on a page that was open already", async () => {
    const { page } = await arrive();
    const before = await consents();
    await signOut();
    expectEnded(await decide(page));
    expect(await consents()).to.equal(before);
  });

  it("prevents the code of a consent whose answer has not reached the TPP", async () => {
    const { page } = await arrive();
    const answer = await decide(page);
    expect(answer.status).to.equal(303);
    await signOut();
    const told = await toldBy(answer);
    expect([told.get("error"), told.get("code")]).to.deep.equal(["access_denied", null]);
  });

  it("ends an authorization whose PSU has signed in but not yet seen the consent page", async () => {
    const answer = await signInFor(browser);
    await signOut();
    expectEnded(await browser.follow(answer));
  });

  it("works on the page of the authenticator too", async () => {
    const { page } = await arrive();
    await signOut("/authenticator");
    expectEnded(await decide(page));
  });

  it("works when the session has ended meanwhile, or the button is pressed twice and the first answer dropped", async () => {
    const order = pathOf(await (await openDesk(auth)).request({ body: { psu: "psu-petr" } }));
    const { page } = await arrive();
    const answer = await decide(page);
    const form = await browser.get("/consents?lang=en");
    auth.clock.advance(6 * MINUTE);
    const again = openBrowser(auth);
    for (const cookie of browser.cookies.values()) again.plant(cookie);
    const foreign = { ...posting(form, "sign-out").headers, "sec-fetch-site": "cross-site" };
    const planted = await auth.browse({ ...posting(form, "sign-out"), headers: foreign });
    // A sibling host can hide the origin from a browser without Fetch Metadata, but knows no token.
    const guessed = (page: RawAnswer) => auth.browse(posting(page, "sign-out", { token: "guessed" }));
    for (const { status, headers } of [planted, await guessed(form)])
      expect([status, headers["set-cookie"]]).to.deep.equal([303, undefined]);
    for (const each of [browser, again])
      expect((await each.post(form, "sign-out")).body).to.contain("You have signed out");
    expect((await toldBy(answer, again)).get("code")).to.equal(null);
    await signInFor(browser);
    const ofOrder = await browser.get(order);
    auth.clock.advance(6 * MINUTE);
    expect((await guessed(ofOrder)).headers["set-cookie"]).to.equal(undefined);
    expect((await browser.post(ofOrder, "sign-out")).status).to.equal(303);
    expect(statusOf(await browser.get(order))).to.equal(undefined);
  });

  it("works on the page of another PSU's order", async () => {
    const order = await (await openDesk(auth)).request({ body: { psu: "psu-petr" } });
    const { page } = await arrive();
    const gone = await browser.post(await browser.get(pathOf(order)), "sign-out");
    expect(gone.status).to.equal(303);
    expectEnded(await decide(page));
  });

  it("makes the sign-in say that a form sent after it from another tab was not taken, but no second sign-out", async () => {
    const { sign_in_ended: ended, sign_in_unconfirmed: unconfirmed } = en.phrases;
    const order = pathOf(await (await openDesk(auth)).request());
    for (const [path, form, told] of [
      ["/authenticator", "passkey-add", `${ended} ${unconfirmed}`],
      ["/authenticator", "sign-out", undefined],
      [order, "approve", ended],
      [order, "refuse", ended],
    ] as const) {
      await arrive();
      const page = await browser.get(path);
      await signOut();
      const answer = await browser.post(page, form);
      expect([answer.status, answer.headers.location]).to.deep.equal([303, path]);
      const signInPage = await browser.get(path);
      expect(statusOf(signInPage), form).to.equal(told);
      if (path === "/authenticator") {
        await signIn(auth, browser, signInPage);
        await signOut();
        expect(statusOf(await browser.get(path)), "after a sign-in in between").to.equal(undefined);
      }
      browser = openBrowser(auth);
    }
  });

  it("makes the sign-in say nothing of a form that another site sent", async () => {
    for (const source of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }]) {
      const headers = { ...FORM_BODY, ...source };
      const answer = await auth.browse({
        method: "POST",
        path: "/authenticator/passkey-add",
        headers,
        body: "",
      });
      expect([answer.status, answer.headers["set-cookie"]]).to.deep.equal([303, undefined]);
    }
  });

  it("ends every authorization in the browser, whatever session each began with", async () => {
    const first = await arrive();
    const second = await arrive();
    await signOut();
    for (const { page } of [first, second]) expectEnded(await decide(page));
  });

  it("lets the PSU sign in again, for the same application and for another one", async () => {
    const { page } = await arrive();
    await signOut();
    const again = await arrive();
    expect((await toldBy(await decide(again.page))).get("code")).to.be.a("string");
    application = await register(auth);
    const another = await arrive();
    expect((await toldBy(await decide(another.page))).get("code")).to.be.a("string");
    expectEnded(await decide(page));
  });

  it("gives the browser a new browser cookie in place of the former one", async () => {
    await arrive();
    const name = () => browser.cookies.get("__Host-psu-browser")?.value;
    const former = name();
    await arrive();
    expect(name()).to.equal(former);
    await signOut();
    expect(name())
      .to.match(/^[A-Za-z0-9_-]{43}$/)
      .and.not.equal(former);
  });

  it("affects this browser only", async () => {
    const others = await Promise.all(
      ["jana", "petr"].map(async (username) => {
        const at = openBrowser(auth);
        return { at, first: await at.follow(await at.get(authorizePath(application))), username };
      }),
    );
    await arrive();
    const pages: { readonly at: PsuBrowser; readonly page: RawAnswer }[] = [];
    for (const { at, first, username } of others)
      pages.push({ at, page: await at.follow(await signIn(auth, at, first, username)) });
    await signOut();
    for (const { at, page } of pages)
      expect((await toldBy(await decide(page, at), at)).get("code")).to.be.a("string");
  });

  it("leaves none of 50 parallel consents at two processes with a code", async () => {
    const second = await runAuth({}, auth);
    try {
      const { page } = await arrive();
      const before = await consents();
      const form = await browser.get("/consents");
      const [gone, ...answers] = await Promise.all([
        second.browse(posting(form, "sign-out")),
        ...Array.from({ length: 50 }, (_, index) =>
          (index % 2 ? auth : second).browse(posting(page, "consent", { choice: "all" })),
        ),
      ]);
      expect(gone.status).to.equal(200);
      for (const answer of answers) expect((await toldBy(answer)).get("code")).to.equal(null);
      expect((await consents()) - before).to.be.oneOf([0, 1]);
    } finally {
      await second.stop();
    }
  });

  it("leaves at most one code to parallel returns to the TPP, and none afterwards", async () => {
    const { page } = await arrive();
    const form = await browser.get("/consents");
    const answer = await decide(page);
    const [, ...told] = await Promise.all([
      browser.post(form, "sign-out"),
      ...Array.from({ length: 5 }, () => toldBy(answer)),
    ]);
    expect(told.filter((each) => each.has("code"))).to.have.length.below(2);
    expect((await toldBy(answer)).get("code")).to.equal(null);
  });

  it("happens to the signed-in PSU when another PSU signs in in the same browser", async () => {
    const waiting = await browser.get("/consents");
    const { page } = await arrive();
    await signIn(auth, browser, waiting, "petr");
    const late = await decide(page);
    expectEnded(late);
    expect(late.body).to.contain("when somebody else signs in with the same browser,");
  });

  it("is explained to a PSU who decides after another PSU has signed in for another authorization", async () => {
    const { page } = await arrive(browser, "jana");
    await arrive(browser, "petr");
    const late = await decide(page);
    expect(late.status).to.equal(404);
    expect(late.body).to.contain("nebo se mezitím ve stejném prohlížeči přihlásil někdo jiný");
  });

  it("also ends a sign-in that continues only after another PSU has signed in, and tells the TPP", async () => {
    const late = await signInFor(browser, "petr");
    const { page } = await arrive(browser, "jana");
    const back = await browser.follow(late);
    expect(back.status, back.body).to.equal(303);
    const told = new URL(String(back.headers.location)).searchParams;
    expect([told.get("error"), told.get("code")]).to.deep.equal(["access_denied", null]);
    expect((await toldBy(await decide(page))).get("code")).to.be.a("string");
  });

  it("ends what two PSUs began in the browser at the same moment, though only one is signed in", async () => {
    for (let round = 0; round < 5; round += 1) {
      auth.clock.advance(61 * MINUTE);
      browser = openBrowser(auth);
      const tabs: RawAnswer[] = [];
      for (const _psu of PSUS) tabs.push(await browser.follow(await browser.get(authorizePath(application))));
      const answers = await Promise.all(
        tabs.map((tab, index) => signInNow(auth, browser, tab, PSUS[index]?.username)),
      );
      const pages: RawAnswer[] = [];
      for (const answer of answers) pages.push(await browser.follow(answer));
      const shown = pages.filter(({ body }) => body.includes("account-1"));
      expect(shown).to.have.length.below(2);
      // The session that the browser has kept may be the one that is over.
      const own = await browser.get("/consents");
      if (!own.body.includes("/consents/sign-out")) await signIn(auth, browser, own, "petr");
      await signOut();
      for (const page of shown) expectEnded(await decide(page));
    }
  });

  // The last one: afterwards Petr signs in with another app.
  it("happens in all other browsers, but not in this one, when the PSU takes another app (OWASP ASVS 7.4.3)", async () => {
    const elsewhere = openBrowser(auth);
    const other = await arrive(elsewhere, "petr");
    const answered = openBrowser(auth);
    const answer = await decide((await arrive(answered, "petr")).page, answered);
    const own = await arrive(browser, "petr");
    const enrolment = await browser.post(await browser.get("/authenticator"), "replace");
    const secret = /class="key">([^<]+)</.exec(enrolment.body)?.[1]?.replaceAll(" ", "") ?? "";
    const timestamp = auth.clock.now().getTime();
    const one_time_code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
    expect((await browser.post(enrolment, "confirm", { one_time_code })).status).to.equal(303);
    expectEnded(await elsewhere.get(other.path));
    expectEnded(await decide(other.page, elsewhere));
    expect((await toldBy(answer, answered)).get("error")).to.equal("access_denied");
    expect((await toldBy(await decide(own.page))).get("code")).to.be.a("string");
  });
});
