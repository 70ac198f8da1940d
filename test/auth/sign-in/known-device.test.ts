import { expect } from "chai";
import { openBrowser, type PsuBrowser, signIn } from "../psu-browser.ts";
import { NEWCOMER, PSUS, type RunningAuth, runAuth } from "../running-auth.ts";
import { codeOf } from "./enrolment-code.ts";

describe("A device that several PSUs use", function deviceOfSeveral() {
  this.timeout(120_000);
  let auth: RunningAuth;

  before(async () => {
    auth = await runAuth();
  });
  after(() => auth.stop());

  const enter = async (browser: PsuBrowser, username: string) => {
    const answer = await signIn(auth, browser, await browser.get("/consents"), username);
    if (answer.status === 303) await browser.post(await browser.get("/consents"), "sign-out");
    return answer.status;
  };
  const failFiveTimes = async (username: string) => {
    const wrong = { username, password: "wrong", one_time_code: "000000" };
    for (let tries = 0; tries < 5; tries += 1) {
      const browser = openBrowser(auth);
      await browser.post(await browser.get("/consents"), "sign-in", wrong);
    }
  };

  it("lets each of them sign in after a stranger's failures, and after a first sign-in of somebody else", async () => {
    const browser = openBrowser(auth);
    for (const { username } of PSUS) expect(await enter(browser, username)).to.equal(303);
    const { username, password, activationCode } = NEWCOMER;
    const typed = { username, password, one_time_code: activationCode };
    await browser.post(await browser.get("/authenticator"), "sign-in", typed);
    const page = await browser.get("/authenticator");
    await browser.post(page, "sign-in", { one_time_code: codeOf(page, auth.clock.now()) });
    await browser.post(await browser.get("/consents"), "sign-out");
    for (const psu of PSUS) {
      await failFiveTimes(psu.username);
      expect(await enter(openBrowser(auth), psu.username)).to.equal(429);
      expect(await enter(browser, psu.username)).to.equal(303);
    }
  });
});
