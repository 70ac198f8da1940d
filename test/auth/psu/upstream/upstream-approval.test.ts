import { expect } from "chai";
import { cs } from "../../../../packages/auth/src/pages/texts/cs.ts";
import { movableDate } from "../../../support/movable-date.ts";
import type { RawAnswer } from "../../../support/raw-https.ts";
import { openBrowser, type PsuBrowser } from "../../psu-browser.ts";
import { ISSUER, type RunningAuth, runAuth } from "../../running-auth.ts";
import { openDesk, pathOf, type SigningDesk, type ToldSigning } from "../../signing/signing-desk.ts";
import type { AtBank } from "./bank-provider.ts";
import { type RunningUpstream, runUpstream } from "./running-upstream.ts";

const MINUTE = 60_000;
const JANA: AtBank = { psu: "psu-jana", name: "Jana Nováková" };
const PETR: AtBank = { psu: "psu-petr", name: "Petr Svoboda" };

describe("A PSU who signs in at the bank's own OpenID provider to approve a payment", function approving() {
  this.timeout(120_000);
  let upstream: RunningUpstream;
  let auth: RunningAuth;
  let desk: SigningDesk;
  before(async () => {
    upstream = await runUpstream();
    auth = await runAuth(upstream.variables);
    desk = await openDesk(auth);
  });
  after(async () => {
    await auth.stop();
    await upstream.close();
  });
  // The provider goes by the machine's clock, as providers do.
  beforeEach(() => auth.clock.setWall(Date.now() - auth.clock.now().getTime()));
  const date = movableDate();
  afterEach(() => date.restore());
  function advanceBoth(milliseconds: number): void {
    auth.clock.advance(milliseconds);
    date.advance(milliseconds);
  }

  const headingOf = ({ body }: RawAnswer) => /<h1>([^<]*)<\/h1>/.exec(body)?.[1];
  const stateOf = async ({ id }: ToldSigning) => (await desk.find(id)).state;

  /** From the page of an order to the provider; gives the address of ours that it sends the browser back to. */
  async function signIn(browser: PsuBrowser, told: ToldSigning, psu: AtBank): Promise<string> {
    const { status, headers } = await browser.get(pathOf(told));
    expect([status, new URL(String(headers.location)).origin]).to.deep.equal([303, upstream.provider.issuer]);
    const back = await upstream.provider.signIn(String(headers.location), psu);
    return back.href.slice(ISSUER.length);
  }

  async function arrive(psu: AtBank, told: ToldSigning, browser = openBrowser(auth)) {
    return { browser, page: await browser.follow(await browser.get(await signIn(browser, told, psu))) };
  }

  it("approves it with the code that was sent, once back at its page (RTS Articles 4, 5)", async () => {
    const told = await desk.request();
    const { browser, page } = await arrive(JANA, told);
    expect([page.status, headingOf(page)]).to.deep.equal([200, "Schvalujete tuto platbu?"]);
    await browser.post(page, "approve", { code: await desk.newestCode() });
    const { state, approval } = await desk.find(told.id);
    expect([state, approval?.methods]).to.deep.equal(["approved", ["upstream", "delivered_code"]]);
  });

  it("is shown no order of another PSU, even where that PSU was signed in (PAY-07)", async () => {
    const [first, second] = [await desk.request(), await desk.request()];
    const { browser } = await arrive(JANA, first);
    advanceBoth(4.5 * MINUTE);
    await browser.get(pathOf(first));
    advanceBoth(MINUTE);
    for (const [told, used] of [
      [first, browser],
      [second, openBrowser(auth)],
    ] as const) {
      const { page } = await arrive(PETR, told, used);
      expect(headingOf(page)).to.equal(cs.messages.signing_other_psu.title);
      expect(page.body).to.contain("Petr Svoboda").and.not.contain('name="code"');
      expect(await stateOf(told)).to.equal("waiting");
    }
  });

  it("is told that nothing was paid, after giving up at the provider", async () => {
    const browser = openBrowser(auth);
    const { headers } = await browser.get(pathOf(await desk.request()));
    const back = await upstream.provider.signIn(String(headers.location), "gives up");
    const page = await browser.follow(await browser.get(back.href.slice(ISSUER.length)));
    expect([page.status, headingOf(page)]).to.deep.equal([403, cs.messages.sign_in_refused.title]);
    expect(page.body).to.contain("nic jsme nezaplatili");
  });

  it("is not signed in when back after ten minutes, is told so, and can begin again (WCAG 2.2 2.2.1)", async () => {
    const told = await desk.request();
    const browser = openBrowser(auth);
    const back = await signIn(browser, told, JANA);
    advanceBoth(11 * MINUTE);
    const page = await browser.follow(await browser.get(back));
    expect([page.status, headingOf(page)]).to.deep.equal([403, cs.messages.sign_in_late.title]);
    expect(page.body)
      .to.contain(`href="${pathOf(told)}"`)
      .and.not.contain("lang=en");
    expect(auth.lastCall()).to.include({ page: "sign_in_late" });
    const again = await arrive(JANA, told, browser);
    expect(headingOf(again.page)).to.equal("Schvalujete tuto platbu?");
  });

  it("is told, when back in another browser, that this may be the reason and not the time alone", async () => {
    const told = await desk.request();
    const back = await signIn(openBrowser(auth), told, JANA);
    const another = openBrowser(auth);
    await another.get("/consents");
    const page = await another.follow(await another.get(back));
    expect([page.status, headingOf(page)]).to.deep.equal([403, "Vaše přihlášení tu neplatí"]);
    expect(page.body).to.contain("nebo začalo v\u00a0jiném prohlížeči").and.contain("nic jsme nezaplatili");
  });

  it("is not told of a late return after coming back twice and signing out", async () => {
    const browser = openBrowser(auth);
    const away = await browser.get("/consents");
    const back = await upstream.provider.signIn(String(away.headers.location), JANA);
    const twice = back.href.slice(ISSUER.length);
    await browser.follow(await browser.get(twice));
    const page = await browser.follow(await browser.get(twice));
    expect(page.body).to.contain("Jana Nováková");
    await browser.post(page, "sign-out");
    expect((await browser.get("/consents")).status).to.equal(303);
  });
});
