import { expect } from "chai";
import { signingCs } from "../../../packages/auth/src/pages/texts/signing-cs.ts";
import { signingEn } from "../../../packages/auth/src/pages/texts/signing-en.ts";
import type { RawAnswer } from "../../support/raw-https.ts";
import { answerPage, enrolPasskey } from "../passkeys/enrol-passkey.ts";
import type { SoftwareAuthenticator } from "../passkeys/software-authenticator.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import { switchToEnglish } from "../sign-in/switch-language.ts";
import { openDesk, pathOf, type SigningDesk, type ToldSigning } from "./signing-desk.ts";

const MINUTE = 60_000;

type Fault = Extract<keyof typeof signingEn.phrases, `fault_${string}`>;

describe("The page of an order whose language is changed", function switching() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let desk: SigningDesk;
  let authenticator: SoftwareAuthenticator;
  before(async () => {
    auth = await runAuth({ BANK_CALLERS: "resource=introspect,feed,signing" });
    desk = await openDesk(auth);
    ({ authenticator } = await enrolPasskey(auth, "jana"));
    auth.clock.advance(24 * 60 * MINUTE);
  });
  // Wrong answers and codes count for all orders of a PSU together.
  beforeEach(async () => {
    auth.clock.advance(60 * MINUTE);
    await auth.database.run({ name: "forget", text: "DELETE FROM signing_standing", values: [] });
  });
  after(() => auth.stop());

  const stateOf = async ({ id }: ToldSigning) => (await desk.find(id)).state;
  const codes = async () => (await desk.messages()).filter((text) => /\d{4} \d{4}/.test(text));
  const wrongPasskey = (page: RawAnswer) => {
    const seal = /name="seal" value="([^"]+)"/.exec(page.body)?.[1] ?? "";
    return { code: "", seal, ...answerPage(page, authenticator, { signature: true }) };
  };
  const expectFault = ({ status, body }: RawAnswer, language: "cs" | "en", fault: Fault) => {
    const { phrases } = { cs: signingCs, en: signingEn }[language];
    expect(status, fault).to.equal(422);
    expect(body).to.contain(`<html lang="${language}">`);
    expect(body).to.match(
      new RegExp(`<a href="#(code|passkey)">${phrases[fault].replaceAll(".", "\\.")}</a>`),
    );
  };

  it("says again what was wrong, tries nothing, sends nothing, and keeps no typed code", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    const code = await desk.newestCode();
    const sent = await codes();
    for (const [fields, fault] of [
      [{ code: "" }, "fault_bound_code_missing"],
      [{ code: "00000000" }, "fault_bound_code_wrong"],
      [wrongPasskey(page), "fault_passkey_wrong"],
    ] as const) {
      const refused = await browser.post(await browser.get(`${pathOf(told)}?lang=cs`), "approve", fields);
      expectFault(refused, "cs", fault);
      for (let times = 0; times < 5; times += 1) {
        const switched = await switchToEnglish(browser, refused, "language");
        expectFault(switched, "en", fault);
        expect(switched.body).to.not.contain("00000000");
      }
    }
    expect((await browser.get(pathOf(told))).body).to.not.contain('class="faults"');
    expect(await codes()).to.deep.equal(sent);
    await browser.post(page, "approve", { code });
    expect(await stateOf(told)).to.equal("approved");
  });

  it("says again that no code is valid in this browser, and sends none before it is asked to", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    await desk.arrive(told);
    const sent = await codes();
    const refused = await browser.post(page, "approve", { code: "" });
    expectFault(refused, "cs", "fault_bound_code_none");
    expectFault(await switchToEnglish(browser, refused, "language"), "en", "fault_bound_code_none");
    expect(await codes()).to.deep.equal(sent);
  });

  it("says again that there is no further code, to whom has the last one and to whom has none", async () => {
    const told = await desk.request();
    const first = await desk.arrive(told);
    const last = await desk.arrive(told);
    for (let asked = 2; asked < 5; asked += 1) await last.browser.post(last.page, "code");
    for (const [{ browser, page }, fault] of [
      [last, "fault_codes_used_up"],
      [first, "fault_code_none"],
    ] as const) {
      const refused = await browser.post(page, "code");
      expectFault(refused, "cs", fault);
      expectFault(await switchToEnglish(browser, refused, "language"), "en", fault);
    }
  });

  it("leads to the page itself for what is not wrong there, and takes no form of another page (UI-01)", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    const refused = await browser.post(page, "approve", { code: "" });
    for (const faults of ["", "fault_code_none <b>call us</b>", "fault_code_wrong", "__proto__"]) {
      const made = await browser.post(refused, "language", { faults });
      expect([made.status, made.headers.location], faults).to.deep.equal([303, pathOf(told)]);
    }
    const [, token = ""] = /name="token" value="([^"]+)"/.exec(refused.body) ?? [];
    expect((await browser.post(refused, "language", { token })).status).to.equal(403);
  });

  it("asks to sign in again when the sign-in is too old by then", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    auth.clock.advance(4 * MINUTE);
    const refused = await browser.post(page, "approve", { code: "" });
    auth.clock.advance(2 * MINUTE);
    const late = await switchToEnglish(browser, refused, "language");
    expect([late.status, late.headers.location]).to.deep.equal([303, pathOf(told)]);
    expect((await browser.follow(late)).body)
      .to.contain('<html lang="en">')
      .and.contain("current-password");
  });
});
