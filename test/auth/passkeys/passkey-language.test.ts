import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { cs } from "../../../packages/auth/src/pages/texts/cs.ts";
import { en } from "../../../packages/auth/src/pages/texts/en.ts";
import type { RawAnswer } from "../../support/raw-https.ts";
import type { PsuBrowser } from "../psu-browser.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import { switchToEnglish } from "../sign-in/switch-language.ts";
import { enrolPasskey } from "./enrol-passkey.ts";

const PLACE = "/authenticator";

describe("A page of passkeys whose language is changed", function switching() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let browser: PsuBrowser;

  before(async () => {
    auth = await runAuth();
    ({ browser } = await enrolPasskey(auth));
  });
  after(() => auth.stop());

  const passkeys = () =>
    auth.database.run({
      name: randomUUID(),
      text: "SELECT FROM passkey WHERE psu_id = 'psu-jana'",
      values: [],
    });

  async function refusedInCzech(): Promise<RawAnswer> {
    const typed = { attestation: "{}", passkey_name: "my phone" };
    const refused = await browser.post(await browser.get(`${PLACE}?lang=cs`), "passkey-add", typed);
    expect(refused.body).to.contain(cs.phrases.fault_passkey_not_added);
    return refused;
  }

  it("says again what was wrong, with the typed name, and changes nothing", async () => {
    const switched = await switchToEnglish(browser, await refusedInCzech(), "language");
    expect(switched.body)
      .to.contain('<html lang="en">')
      .and.contain(`<a href="#passkeys">${en.phrases.fault_passkey_not_added}</a>`);
    expect(/<input id="passkey_name"[^>]*>/.exec(switched.body)?.[0]).to.contain('value="my phone"');
    expect(await passkeys()).to.have.length(1);
    expect((await browser.get(PLACE)).body).to.not.contain('class="faults"');
  });

  it("says nothing that a form makes up, and takes no form of another page (UI-01)", async () => {
    const refused = await refusedInCzech();
    const made = await browser.post(refused, "language", { faults: "fault_code_wrong <b>call us</b>" });
    expect(made.body).to.not.contain('class="faults"').and.not.contain("call us");
    const [, token = ""] = /name="token" value="([^"]+)"/.exec(refused.body) ?? [];
    expect((await browser.post(refused, "language", { token })).status).to.equal(403);
  });
});
