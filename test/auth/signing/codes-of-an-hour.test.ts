import { expect } from "chai";
import { signingCs } from "../../../packages/auth/src/pages/texts/signing-cs.ts";
import { signingEn } from "../../../packages/auth/src/pages/texts/signing-en.ts";
import type { RawAnswer } from "../../support/raw-https.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import { openDesk, pathOf, type SigningDesk } from "./signing-desk.ts";

describe("A PSU who was sent all codes of an hour", function sent() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let desk: SigningDesk;
  before(async () => {
    auth = await runAuth({ BANK_CALLERS: "resource=introspect,feed,signing", CODES_PER_HOUR: "2" });
    desk = await openDesk(auth);
  });
  after(() => auth.stop());
  beforeEach(() => auth.clock.advance(3_600_000));

  const headingOf = ({ body }: RawAnswer) => /<h1>([^<]*)<\/h1>/.exec(body)?.[1];
  const stateOf = async ({ id }: { readonly id: string }) => (await desk.find(id)).state;

  it("can still approve with the newest code, and is told in both languages that no other is sent", async () => {
    for (const [language, { phrases }] of Object.entries({ en: signingEn, cs: signingCs })) {
      const told = await desk.request();
      const { browser } = await desk.arrive(told);
      const page = await browser.get(`${pathOf(told)}?lang=${language}`);
      await browser.post(page, "code");
      const newest = await desk.newestCode();
      const more = await browser.post(page, "code");
      expect(more.status).to.equal(422);
      expect(more.body).to.contain(`<a href="#code">${phrases.fault_codes_of_hour_used_up}</a>`);
      expect(await desk.newestCode()).to.equal(newest);
      await browser.post(more, "approve", { code: newest });
      expect(await stateOf(told)).to.equal("approved");
      auth.clock.advance(3_600_000);
    }
  });

  it("is told when to come back, if no code is good in this browser", async () => {
    const told = await desk.request();
    const first = await desk.arrive(told);
    const { browser, page } = await desk.arrive(told);
    const asked = await first.browser.post(first.page, "code");
    expect([asked.status, headingOf(asked)]).to.deep.equal([429, signingCs.messages.signing_held_off.title]);
    await browser.post(page, "approve", { code: await desk.newestCode() });
    expect(await stateOf(told)).to.equal("approved");
  });

  it("is told when to come back, and offered no code, after posting an empty or wrong one", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    await desk.arrive(told);
    for (const code of ["", "12345678"]) {
      const last = await browser.follow(await browser.post(page, "approve", { code }));
      expect([last.status, headingOf(last)]).to.deep.equal([429, signingCs.messages.signing_held_off.title]);
    }
  });
});
