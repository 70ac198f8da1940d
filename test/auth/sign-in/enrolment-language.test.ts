import { expect } from "chai";
import { cs } from "../../../packages/auth/src/pages/texts/cs.ts";
import { en } from "../../../packages/auth/src/pages/texts/en.ts";
import type { RawAnswer } from "../../support/raw-https.ts";
import { openBrowser, type PsuBrowser, signIn } from "../psu-browser.ts";
import { NEWCOMER, type RunningAuth, runAuth } from "../running-auth.ts";
import { codeOf } from "./enrolment-code.ts";
import { switchToEnglish } from "./switch-language.ts";

describe("The page of a new authenticator app whose language is changed", function switching() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let browser: PsuBrowser;

  before(async () => {
    auth = await runAuth();
  });
  beforeEach(() => {
    browser = openBrowser(auth);
  });
  after(() => auth.stop());

  /** The page with the key, after the sign-in with an activation code. */
  async function enrolmentOfNewcomer(): Promise<RawAnswer> {
    const { username, password, activationCode } = NEWCOMER;
    const typed = { username, password, one_time_code: activationCode };
    await browser.post(await browser.get("/authenticator"), "sign-in", typed);
    return browser.get("/authenticator");
  }

  it("says again what was wrong at a sign-in with an activation code, and keeps its key", async () => {
    const enrolment = await enrolmentOfNewcomer();
    for (const [one_time_code, key] of [
      ["", "fault_code_missing"],
      ["000000", "fault_code_wrong"],
    ] as const) {
      const refused = await browser.post(enrolment, "sign-in", { one_time_code });
      expect(refused.body).to.contain(cs.phrases[key]);
      const switched = await switchToEnglish(browser, refused, "sign-in");
      expect(switched.body).to.contain('<html lang="en">').and.contain(en.phrases[key]);
      const now = auth.clock.now();
      expect(codeOf(switched, now)).to.equal(codeOf(enrolment, now));
      await browser.get("/authenticator?lang=cs");
    }
  });

  it("says again what was wrong with the code of another app, and nothing that a form makes up", async () => {
    await signIn(auth, browser, await browser.get("/authenticator"));
    const enrolment = await browser.post(await browser.get("/authenticator"), "replace");
    const refused = await browser.post(enrolment, "confirm", { one_time_code: "000000" });
    expect(refused.body).to.contain(cs.phrases.fault_code_wrong);
    const switched = await switchToEnglish(browser, refused, "confirm");
    expect(switched.body).to.contain('<html lang="en">').and.contain(en.phrases.fault_code_wrong);
    const made = { go: "language", faults: "fault_passkey_last <b>call us</b>" };
    expect((await browser.post(refused, "confirm", made)).body)
      .to.not.contain('class="faults"')
      .and.not.contain("call us");
  });
});
