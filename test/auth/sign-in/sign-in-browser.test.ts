import { expect } from "chai";
import { authorizePath, openBrowser, type PsuBrowser, signIn } from "../psu-browser.ts";
import { NEWCOMER, type RunningAuth, runAuth } from "../running-auth.ts";
import { register } from "../test-application.ts";

const MINUTE = 60_000;
const CREDENTIALS = 'name="password"';

describe("a sign-in in progress, from outside", function signInInProgress() {
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

  it("is none in another browser, into which a sibling host has planted it: another one begins there", async () => {
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

  it("goes on in either of two tabs that were opened at once in a new browser: the form of one leads to its page", async () => {
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

  it("leads to a new one when its PSU signs out in another tab, and nothing that was typed is judged", async () => {
    const application = await register(auth);
    await signIn(auth, browser, await browser.get("/consents"));
    const page = await browser.follow(await browser.get(authorizePath(application)));
    await browser.post(await browser.get("/consents"), "sign-out");
    const again = await browser.follow(await signIn(auth, browser, page));
    expect([again.status, again.body.includes(CREDENTIALS)]).to.deep.equal([200, true]);
    expect((await browser.follow(await signIn(auth, browser, again))).body).to.contain("account-1");
  });

  it("goes on where the release before has begun it, which binds it to no browser", async () => {
    const page = await browser.get("/consents");
    const text = "UPDATE ephemeral_record SET payload = payload - 'browserHash' WHERE kind = 'SignIn'";
    await auth.database.run({ name: "forget-browsers", text, values: [] });
    expect((await browser.get("/consents")).body).to.contain(
      /name="token" value="[^"]+"/.exec(page.body)?.[0],
    );
    await signIn(auth, browser, page);
    expect((await browser.get("/consents")).body).to.contain("/consents/sign-out");
  });
});
