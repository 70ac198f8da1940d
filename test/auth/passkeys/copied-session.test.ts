import { expect } from "chai";
import type { RawAnswer } from "../../support/raw-https.ts";
import { authorizePath, openBrowser, type PsuBrowser, signIn } from "../psu-browser.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import { register, type TestApplication } from "../test-application.ts";
import { askToRemove, enrolPasskey } from "./enrol-passkey.ts";

const MINUTE = 60_000;
const PLACE = "/authenticator";

describe("A thief of a browser's cookies, after a passkey is removed in that browser", function copiedSession() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let application: TestApplication;

  before(async () => {
    auth = await runAuth();
    application = await register(auth);
  });
  beforeEach(() => auth.clock.advance(61 * MINUTE));
  after(() => auth.stop());

  /** A PSU before the consent page, whose cookies somebody else has by then. */
  async function arrive() {
    const { browser: own } = await enrolPasskey(auth, "petr");
    const page = await own.follow(await own.get(authorizePath(application)));
    const shown = await own.follow(await signIn(auth, own, page, "petr"));
    return { own, shown, thief: copyOf(own) };
  }

  function copyOf({ cookies }: PsuBrowser): PsuBrowser {
    const copy = openBrowser(auth);
    for (const cookie of cookies.values()) copy.plant(cookie);
    return copy;
  }

  async function removePasskey(browser: PsuBrowser): Promise<void> {
    const question = await askToRemove(browser, await browser.get(`${PLACE}?lang=en`));
    expect((await browser.post(question, "passkey-remove")).status).to.equal(303);
  }

  const placeOf = ({ body }: RawAnswer) => /action="([^"]*)\/consent"/.exec(body)?.[1] ?? "";

  it("can no longer open the consent page or agree, while the PSU can (OWASP ASVS 7.4.3)", async () => {
    const { own, shown, thief } = await arrive();
    expect((await thief.get(placeOf(shown))).body).to.match(/action="[^"]*\/consent"/);
    await removePasskey(own);
    const tried = [await thief.get(placeOf(shown)), await thief.post(shown, "consent", { choice: "all" })];
    for (const { status, headers } of tried) {
      expect(status).to.equal(404);
      expect(headers).to.not.have.property("location");
    }
    const back = await own.follow(await own.post(shown, "consent", { choice: "all" }));
    expect(back.headers.location).to.match(/[?&]code=/);
  });

  it("does not get the code of a consent whose answer is still under way (OWASP ASVS 7.4.3)", async () => {
    const { own, shown, thief } = await arrive();
    const given = await own.post(shown, "consent", { choice: "all" });
    const resume = String(given.headers.location).replace(/^https:\/\/[^/]*/, "");
    await removePasskey(own);
    expect((await thief.get(resume)).status).to.equal(400);
    expect((await own.follow(given)).headers.location).to.match(/[?&]code=/);
  });
});
