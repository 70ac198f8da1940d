import { expect } from "chai";
import { TOTP } from "otpauth";
import { cs } from "../../../packages/auth/src/pages/texts/cs.ts";
import type { RawAnswer } from "../../support/raw-https.ts";
import { untilShown } from "../pages/until-shown.ts";
import { authorizePath, openBrowser, type PsuBrowser, signIn, statusOf, typedBy } from "../psu-browser.ts";
import { NEWCOMER, type RunningAuth, runAuth } from "../running-auth.ts";
import { register } from "../test-application.ts";

const MINUTE = 60_000;
const CREDENTIALS = 'name="password"';

describe("A sign-in in progress", function signInInProgress() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let browser: PsuBrowser;

  before(async () => {
    auth = await runAuth();
  });
  beforeEach(() => {
    auth.clock.advance(61 * MINUTE);
    browser = openBrowser(auth);
  });
  after(() => auth.stop());

  /** A sign-in that has come to its second step, which shows the secret of an app. */
  async function comeToEnrolment() {
    const { username, password, activationCode } = NEWCOMER;
    const typed = { username, password, one_time_code: activationCode };
    await browser.post(await browser.get("/authenticator"), "sign-in", typed);
    const page = await browser.get("/authenticator");
    expect(page.body).to.contain('class="qr-code"');
    return page;
  }
  const pair = (of: PsuBrowser, key: string) => {
    const cookie = of.cookies.get(key);
    return `${cookie?.name}=${cookie?.value}`;
  };

  it("does not go on in another browser into which a sibling host has planted its cookie", async () => {
    const own = await comeToEnrolment();
    const victim = openBrowser(auth);
    await victim.get("/consents");
    const planted = pair(browser, "__Secure-sign-in;/authenticator");
    for (const cookie of [planted, `${planted}; ${pair(victim, "__Host-psu-browser")}`]) {
      const page = await auth.browse({ path: "/authenticator", headers: { cookie } });
      expect(page.body).to.contain(CREDENTIALS).and.not.contain('class="qr-code"');
      expect(String(page.headers["set-cookie"]))
        .to.match(/__Secure-sign-in=/)
        .and.not.contain(planted);
    }
    expect((await browser.post(own, "sign-in", { one_time_code: "000000" })).status).to.equal(422);
  });

  const shownTime = ({ body }: RawAnswer) =>
    /Aplikaci potvrďte .*? do\u00a0(\d+:\d\d) pražského/.exec(body)?.[1] ?? "";

  it("names the minute until which a code of the app is taken (WCAG 2.2 2.2.1)", async () => {
    const { phrases } = cs;
    const page = await comeToEnrolment();
    const left = untilShown(shownTime(page), auth.clock.now());
    expect(left).to.be.within(9 * MINUTE, 10 * MINUTE);
    auth.clock.advance(left - 1);
    const wrong = await browser.post(page, "sign-in", { one_time_code: "000000" });
    expect([wrong.status, shownTime(wrong)]).to.deep.equal([422, shownTime(page)]);
    auth.clock.advance(MINUTE);
    const late = await browser.follow(await browser.post(wrong, "sign-in", { one_time_code: "000000" }));
    expect(statusOf(late)).to.equal(`${phrases.sign_in_late} ${phrases.sign_in_unconfirmed}`);
  });

  it("names no minute after the end of the authorization, which goes by the clock of the machine", async () => {
    const { username, password, activationCode } = NEWCOMER;
    const typed = { username, password, one_time_code: activationCode };
    const first = await browser.follow(await browser.get(authorizePath(await register(auth))));
    const page = await browser.follow(await browser.post(first, "sign-in", typed));
    expect(untilShown(shownTime(page), new Date())).to.be.within(8 * MINUTE, 10 * MINUTE);
  });

  it("goes on in both of two tabs that were opened at once in a new browser", async () => {
    const places = ["/consents", "/authenticator"];
    const tabs = await Promise.all(places.map((place) => browser.get(place)));
    const [first, second] = tabs;
    if (first === undefined || second === undefined) throw new Error("no page");
    const answers = [await signIn(auth, browser, first), await signIn(auth, browser, second)];
    expect(answers.map(({ status, headers }) => [status, headers.location])).to.deep.equal(
      places.map((place) => [303, place]),
    );
    const isIn = (answer: (typeof answers)[number]) =>
      [answer.headers["set-cookie"] ?? []].flat().some((line) => line.startsWith("__Host-psu-session="));
    expect(answers.filter(isIn)).to.have.length(1);
    const application = await register(auth);
    const waiting = await Promise.all([1, 2].map(() => browser.get(authorizePath(application))));
    for (const answer of waiting) {
      const page = await browser.follow(answer);
      expect((await browser.follow(await signIn(auth, browser, page))).body).to.contain("account-1");
    }
  });

  /** Submits a form twice; the browser drops the answer to the first, as it does when a button is pressed again meanwhile. */
  async function postTwice(page: RawAnswer, typed: Readonly<Record<string, string>>): Promise<RawAnswer> {
    const hasty = openBrowser(auth);
    for (const cookie of browser.cookies.values()) hasty.plant(cookie);
    expect((await hasty.post(page, "sign-in", typed)).status).to.equal(303);
    return browser.follow(await browser.post(page, "sign-in", typed));
  }

  it("says why it begins again when its button is pressed twice, in an authorization too", async () => {
    const application = await register(auth);
    for (const path of ["/consents", authorizePath(application)]) {
      auth.clock.advance(MINUTE / 2);
      const page = await browser.follow(await browser.get(path));
      const told = await postTwice(page, typedBy(auth));
      expect(statusOf(told), path).to.equal(cs.phrases.sign_in_used);
      expect((await signIn(auth, browser, told)).status).to.equal(303);
    }
  });

  it("advises nobody to delete an app that was confirmed by pressing twice", async () => {
    const page = await comeToEnrolment();
    const secret = /([A-Z2-7]{4}(?: [A-Z2-7]{1,4})+)/.exec(page.body)?.[1]?.replaceAll(" ", "") ?? "";
    const timestamp = auth.clock.now().getTime();
    const told = await postTwice(page, { one_time_code: new TOTP({ secret }).generate({ timestamp }) });
    expect(statusOf(told)).to.equal(cs.phrases.sign_in_used);
  });

  it("begins again when its PSU signs out in another tab, and judges nothing that was typed", async () => {
    const application = await register(auth);
    await signIn(auth, browser, await browser.get("/consents"));
    const page = await browser.follow(await browser.get(authorizePath(application)));
    await browser.post(await browser.get("/consents"), "sign-out");
    const again = await browser.follow(await signIn(auth, browser, page));
    expect([again.status, again.body.includes(CREDENTIALS)]).to.deep.equal([200, true]);
    expect((await browser.follow(await signIn(auth, browser, again))).body).to.contain("account-1");
  });
});
