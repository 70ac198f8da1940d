import { expect } from "chai";
import type { BrowserContextOptions } from "playwright-core";
import { runSql } from "../journeys/journey-sandbox.ts";
import { until } from "../support/eventually.ts";
import { arrive, atPages, TEXTS } from "./psu-at-pages.ts";
import { openScene, type Scene } from "./scene.ts";

const { phrases, messages } = TEXTS.en;
const GONE = messages.interaction_unknown.title;

const WITHOUT_SCRIPTS = { javaScriptEnabled: false };

type Arrival = Awaited<ReturnType<typeof arrive>>;

describe("A PSU who strays from the usual way", function straying() {
  this.timeout(120_000);
  let scene: Scene;

  before(async () => {
    scene = await openScene();
  });

  /** Brings a PSU to the consent page with everything chosen. */
  async function decided(look: BrowserContextOptions = {}): Promise<Arrival> {
    const at = await arrive(scene, { look });
    await at.signIn(scene.psu("petr"));
    await at.choose("all");
    return at;
  }

  const codes = (at: Arrival) =>
    scene.site
      .arrivals(at.url.searchParams.get("state") ?? "")
      .flatMap(({ searchParams }) => searchParams.getAll("code"));

  /**
   * Back at the TPP after two presses. The second replaces the navigation of the first: waiting for one navigation would call
   * that a failure.
   */
  async function broughtBack(at: Arrival): Promise<URL> {
    await until(() => new URL(at.page.url()).origin === scene.site.url.origin, "the PSU is back at the TPP");
    return new URL(at.page.url());
  }

  async function expectAdvice(at: Pick<Arrival, "page" | "heading">, title: string) {
    expect(await at.heading()).to.equal(title);
    const text = (await at.page.getByRole("main").textContent()) ?? "";
    expect(text).to.match(/application|continue/);
    expect(text).to.not.match(/session not found|invalid_|undefined/i);
  }

  it("sees the same page after a reload, before and after the sign-in, and loses nothing", async () => {
    const at = await arrive(scene);
    await at.page.reload();
    expect(await at.heading()).to.equal(phrases.sign_in_title);
    await at.signIn(scene.psu("petr"));
    await at.page.reload();
    expect(await at.heading()).to.equal(phrases.consent_title_aisp);
    await at.choose("all");
    await at.press(phrases.agree);
    expect((await at.back()).searchParams.has("code")).to.equal(true);
  });

  it("is told to go forward after going back from the consent page, and can decide there", async () => {
    const at = await decided();
    await at.page.goBack();
    await expectAdvice(at, GONE);
    expect(await at.page.getByText(messages.interaction_unknown.advice[0] ?? "").count()).to.equal(1);
    await at.page.goForward();
    expect(await at.heading()).to.equal(phrases.consent_title_aisp);
    await at.choose("all");
    await at.press(phrases.agree);
    expect((await at.back()).searchParams.has("code")).to.equal(true);
  });

  it("is told that the page is over after going back from the TPP, and gets no second code", async () => {
    const at = await decided();
    await at.press(phrases.agree);
    await at.back();
    await at.page.goBack();
    await expectAdvice(at, GONE);
    expect(codes(at)).to.have.length(1);
  });

  /** A press of the mouse, which does not wait for the page, as a person would not; and how often the form was sent. */
  async function pressing(at: Arrival) {
    const agree = at.page.getByRole("button", { name: phrases.agree, exact: true });
    await agree.scrollIntoViewIfNeeded();
    const { x, y } = (await agree.boundingBox()) ?? { x: 0, y: 0 };
    let sent = 0;
    at.page.on("request", (request) => {
      if (request.method() === "POST") sent += 1;
    });
    return { press: () => at.page.mouse.click(x + 10, y + 10), sent: () => sent };
  }

  async function expectOneConsent(at: Arrival): Promise<void> {
    const back = await broughtBack(at);
    expect(codes(at)).to.have.length(1);
    expect((await at.redeem(back)).scope).to.equal("aisp");
  }

  for (const [how, look] of Object.entries({ with: {}, without: WITHOUT_SCRIPTS }))
    it(`gives one consent and one code with a double click on Agree, ${how} scripts`, async () => {
      const at = await decided(look);
      const agree = at.page.getByRole("button", { name: phrases.agree, exact: true });
      await agree.dblclick({ noWaitAfter: true });
      await expectOneConsent(at);
    });

  it("gives one code when Agree is pressed twice on a slow line without scripts", async () => {
    const at = await decided(WITHOUT_SCRIPTS);
    const network = await at.page.context().newCDPSession(at.page);
    const delayBy = (latency: number) =>
      network.send("Network.emulateNetworkConditions", {
        offline: false,
        latency,
        downloadThroughput: -1,
        uploadThroughput: -1,
      });
    // So slow that the first press has no answer yet when the second comes, on a busy machine too.
    await delayBy(5_000);
    const { press, sent } = await pressing(at);
    await press();
    await at.page.waitForTimeout(300);
    await press();
    await until(() => sent() === 2, "both presses are sent");
    await delayBy(0);
    await expectOneConsent(at);
  });

  it("returns once to a slow TPP, however often Agree is pressed meanwhile", async () => {
    const at = await decided();
    const { press, sent } = await pressing(at);
    const release = scene.site.hold();
    try {
      await press();
      await until(() => codes(at).length === 1, "the TPP has the code");
      for (let again = 0; again < 3; again += 1) {
        await press();
        await at.page.waitForTimeout(100);
      }
    } finally {
      release();
    }
    await expectOneConsent(at);
    expect(sent(), "sent once").to.equal(1);
  });

  it("can open the interaction in two tabs, and the second to agree is told that it is over", async () => {
    const first = await decided();
    const second = atPages(scene, await first.page.context().newPage());
    await second.page.goto(first.page.url());
    await second.choose("all");
    await first.press(phrases.agree);
    await first.back();
    await second.press(phrases.agree);
    await expectAdvice(second, GONE);
    expect(codes(first)).to.have.length(1);
  });

  it("can have two authorizations in two tabs, each with its own answer", async () => {
    const first = await arrive(scene);
    const begun = await scene.begin();
    const second = atPages(scene, await first.page.context().newPage());
    await second.page.goto(begun.url.href);
    await first.press(`Cancel and return to ${scene.site.url.host}`);
    expect((await first.back()).searchParams.get("error")).to.equal("access_denied");
    await second.signIn(scene.psu("petr"));
    await second.choose("all");
    await second.press(phrases.agree);
    expect((await begun.redeem(await second.back())).scope).to.equal("aisp");
  });

  it("cannot go on in another browser, but can in the first one", async () => {
    const at = await decided();
    const other = atPages(scene, await scene.visitor());
    await other.page.goto(at.page.url());
    await expectAdvice(other, messages.cookies_missing.title);
    const visited = await arrive(scene);
    await visited.signIn(scene.psu("marie"));
    await visited.page.goto(at.page.url());
    await expectAdvice(visited, GONE);
    await at.press(phrases.agree);
    expect((await at.back()).searchParams.has("code")).to.equal(true);
  });

  it("is asked to allow cookies when the browser refuses them", async () => {
    const at = atPages(scene, await scene.visitorWithoutCookies());
    await at.page.goto((await scene.begin()).url.href);
    await expectAdvice(at, messages.cookies_missing.title);
  });

  it("is told that the page is over when the interaction has expired, on either page", async () => {
    const [fresh, signedIn] = await Promise.all([arrive(scene), decided()]);
    await runSql(
      scene.document.databases.auth,
      "UPDATE ephemeral_record SET expires_at = now() WHERE kind = 'Interaction'",
    );
    await fresh.fillIn(scene.psu("marie"));
    await fresh.press(phrases.sign_in);
    await expectAdvice(fresh, GONE);
    await signedIn.press(phrases.agree);
    await expectAdvice(signedIn, GONE);
    await signedIn.page.reload();
    await expectAdvice(signedIn, GONE);
    expect([...codes(fresh), ...codes(signedIn)]).to.deep.equal([]);
  });

  it("is told that the page is over when the application was deleted meanwhile", async () => {
    const application = await scene.tpp.register();
    const { url } = await (await scene.tpp.oauth(application)).begin("aisp");
    const at = atPages(scene, await scene.visitor());
    await at.page.goto(url.href);
    await scene.tpp.applications.remove(application.clientId);
    await at.fillIn(scene.psu("petr"));
    await at.press(phrases.sign_in);
    await expectAdvice(at, GONE);
  });
});
