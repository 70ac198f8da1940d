import { expect } from "chai";
import { authorizePath, consent, openBrowser, type PsuBrowser, signIn } from "../auth/psu-browser.ts";
import { type RunningAuth, runAuth } from "../auth/running-auth.ts";
import { postForm, register, type TestApplication } from "../auth/test-application.ts";
import { type RedisServer, startRedis } from "../support/redis-servers.ts";

const SIGN_IN_FORM = 'action="/consents/sign-in"';
const NEW_EPOCH = /a new epoch of Redis begins/;
const TOKEN_REQUESTS = 20;

describe("Two auth processes, each on a Redis of its own", function twoUrls() {
  this.timeout(120_000);
  let servers: readonly RedisServer[];
  let auth: RunningAuth;
  let other: RunningAuth;
  let application: TestApplication;
  before(async () => {
    servers = [await startRedis(), await startRedis()];
    const [first, second] = servers.map(({ url }) => url);
    const limits = { TOKEN_REQUESTS_PER_MINUTE: String(TOKEN_REQUESTS) };
    auth = await runAuth({ REDIS_URL: first ?? "", ...limits });
    other = await runAuth({ REDIS_URL: second ?? "", ...limits }, auth);
    application = await register(auth);
  });
  after(async () => {
    await other?.stop();
    await auth?.stop();
    await Promise.all(servers.map((server) => server.stop()));
  });

  /** The browser's next calls go to the other process. */
  function movableBrowser(): { readonly browser: PsuBrowser; move(): void } {
    let at = auth;
    const browser = openBrowser({ ...auth, browse: (call) => at.browse(call) });
    return {
      browser,
      move: () => {
        at = at === auth ? other : auth;
      },
    };
  }

  it("go on with one epoch each, which ends none of the other", async () => {
    for (const each of [auth, other, auth, other])
      expect((await consent(each, application)).searchParams.has("code")).to.equal(true);
    const begun = [...auth.logLines, ...other.logLines].filter(({ msg }) => NEW_EPOCH.test(String(msg)));
    expect(begun).to.have.length(2);
  });

  it("let a PSU who comes to the other one begin again", async () => {
    const { browser, move } = movableBrowser();
    const page = await browser.follow(await browser.get(authorizePath(application)));
    move();
    expect((await signIn(auth, browser, page)).status).to.equal(404);
  });

  it("end no session of the other one with a sign-out", async () => {
    const { browser, move } = movableBrowser();
    await signIn(auth, browser, await browser.get("/consents"));
    const cookie = [...browser.cookies.values()].map(({ name, value }) => `${name}=${value}`).join("; ");
    move();
    const page = await browser.follow(await signIn(auth, browser, await browser.get("/consents")));
    expect((await browser.post(page, "sign-out")).status).to.equal(200);
    const kept = await auth.browse({ path: "/consents", headers: { cookie } });
    expect(kept.body).not.to.contain(SIGN_IN_FORM);
  });

  it("count each its own calls", async () => {
    const form = { grant_type: "authorization_code", code: "none" };
    for (const each of [auth, other]) {
      const calls = Array.from({ length: TOKEN_REQUESTS }, () =>
        postForm(each, "/oauth/token", application, form),
      );
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(statuses).not.to.include(429);
    }
  });
});
