import { expect } from "chai";
import { cs } from "../../../../packages/auth/src/pages/texts/cs.ts";
import type { RawAnswer } from "../../../support/raw-https.ts";
import { authorizePath, openBrowser, type PsuBrowser, signIn } from "../../psu-browser.ts";
import { ISSUER, type RunningAuth, runAuth } from "../../running-auth.ts";
import { register } from "../../test-application.ts";
import { type RunningUpstream, runUpstream } from "./running-upstream.ts";

describe("A sign-in that was begun before PSU_LOGIN was changed", function changing() {
  this.timeout(120_000);
  let upstream: RunningUpstream;
  let sandbox: RunningAuth;
  let oidc: RunningAuth;
  before(async () => {
    upstream = await runUpstream();
    sandbox = await runAuth();
    oidc = await runAuth(upstream.variables, sandbox);
    sandbox.clock.setWall(Date.now() - sandbox.clock.now().getTime());
  });
  after(async () => {
    await oidc.stop();
    await sandbox.stop();
    await upstream.close();
  });

  /** The same browser, at the process with the other login. */
  function movedTo(auth: RunningAuth, former: PsuBrowser): PsuBrowser {
    const browser = openBrowser(auth);
    for (const cookie of former.cookies.values()) browser.plant(cookie);
    return browser;
  }
  const isAtProvider = ({ status, headers }: RawAnswer) =>
    status === 303 && String(headers.location).startsWith(upstream.provider.issuer);

  it("begins anew at the bank's provider, also from the page of an authorization", async () => {
    const path = authorizePath(await register(sandbox));
    for (const began of ["/consents", path]) {
      const former = openBrowser(sandbox);
      const page = await former.follow(await former.get(began));
      const [, place = ""] = /action="([^"]*)\/sign-in"/.exec(page.body) ?? [];
      expect(isAtProvider(await movedTo(oidc, former).get(place)), began).to.equal(true);
    }
  });

  it("takes no form of the former login, and leads on to the provider", async () => {
    const former = openBrowser(sandbox);
    const page = await former.get("/consents");
    const browser = movedTo(oidc, former);
    const typed = { username: "jana", password: "a password", one_time_code: "123456" };
    const told = await browser.follow(await browser.post(page, "sign-in", typed));
    expect([told.status, told.body.includes(cs.messages.sign_in_late.title)]).to.deep.equal([403, true]);
    expect(isAtProvider(await browser.get("/consents"))).to.equal(true);
  });

  it("is asked for again, although the PSU had signed in with the former login", async () => {
    const former = openBrowser(sandbox);
    await signIn(sandbox, former, await former.get("/consents"));
    expect((await former.get("/consents")).status).to.equal(200);
    expect(isAtProvider(await movedTo(oidc, former).get("/consents"))).to.equal(true);
  });

  it("counts no failure for a return from the provider, and asks for name and password instead", async () => {
    const former = openBrowser(oidc);
    const { headers } = await former.get("/consents");
    const back = await upstream.provider.signIn(String(headers.location), { psu: "bank-1", name: "Jana" });
    const browser = movedTo(sandbox, former);
    const page = await browser.follow(await browser.get(back.href.slice(ISSUER.length)));
    expect([page.status, page.body.includes('name="password"')]).to.deep.equal([200, true]);
    const text = "SELECT 1 FROM audit_entry WHERE action = 'psu.sign_in_refused'";
    expect(await sandbox.database.run({ name: "test-refused", text, values: [] })).to.deep.equal([]);
  });
});
