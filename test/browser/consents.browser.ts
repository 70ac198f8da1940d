import type { Language } from "@cobs/cobs-model";
import { expect } from "chai";
import { fillText } from "../../packages/auth/src/pages/texts/texts.ts";
import { forgetUsedCodes } from "../journeys/journey-sandbox.ts";
import { untilRefused } from "../journeys/until-refused.ts";
import { PAIRED_LOOKS } from "./looks.ts";
import { arrive, atPages, type PsuAtPages, TEXTS } from "./psu-at-pages.ts";
import { openScene, type Scene } from "./scene.ts";

const { phrases } = TEXTS.en;

describe("A PSU who looks after consents in a browser", function consents() {
  this.timeout(120_000);
  let scene: Scene;

  before(async () => {
    scene = await openScene();
  });

  /** Gives a consent to all accounts; resolves with its tokens. The browser's way to it is a journey of its own. */
  const give = () => scene.tpp.authorize(scene.application, { psu: "petr", scope: "aisp", accounts: "all" });
  const statusOf = async (tokens: Awaited<ReturnType<typeof give>>) =>
    (await scene.tpp.get(tokens.accessToken, "/my/accounts")).status;

  /** Resource hears of it a moment later than the PSU, and in any case within what it promises. */
  const ended = (tokens: Awaited<ReturnType<typeof give>>) => untilRefused(() => statusOf(tokens));

  /** Comes to the list, signed in, in a browser that nobody has used. */
  async function comeTo(look: object, language: Language, from = "/consents"): Promise<PsuAtPages> {
    await forgetUsedCodes(scene.document);
    const at = atPages(scene, await scene.visitor(look), language);
    await at.page.goto(new URL(from, scene.document.auth.browser).href);
    await at.fillIn(scene.psu("petr"));
    await at.press(TEXTS[language].phrases.sign_in);
    await at.page.getByRole("heading", { level: 1, name: TEXTS[language].phrases.consents_title }).waitFor();
    return at;
  }
  const link = (at: PsuAtPages, name: string) => at.page.getByRole("link", { name, exact: true }).first();

  for (const look of PAIRED_LOOKS) {
    const { language } = look;
    it(`sees who has access, and withdraws it after one question: ${look.name}`, async () => {
      const words = TEXTS[language].phrases;
      const tokens = await give();
      expect(await statusOf(tokens)).to.equal(200);
      const at = await comeTo(look.browser, language);
      const card = await at.page.locator("article.consent").first().textContent();
      const certificate = scene.document.certificates.find(({ name }) => name === "all-roles");
      for (const told of [certificate?.organisationName, words.consent_aisp, words.consent_until])
        expect(card).to.include(told);
      await link(at, words.withdraw).click();
      expect(await at.heading()).to.include(certificate?.organisationName);
      await at.press(words.withdraw);
      expect(await at.heading()).to.equal(words.consent_withdrawn);
      expect(await at.page.getByText(words.ended_withdrawn).count()).to.be.above(0);
      const tpp = certificate?.organisationName ?? "";
      expect(await at.done()).to.equal(fillText(words.done_consent_withdrawn, { tpp }));
      await ended(tokens);
      await at.page.reload();
      expect(await at.heading()).to.equal(words.consent_withdrawn);
      expect(await at.done()).to.equal("");
    });
  }

  it("can keep the access at the question, and comes to the consents from an authorization", async () => {
    const tokens = await give();
    const away = await arrive(scene);
    await away.page.getByRole("link", { name: phrases.consents_link }).click();
    expect(new URL(away.page.url()).pathname).to.equal("/consents");
    const at = await comeTo({}, "en");
    await link(at, phrases.withdraw).click();
    await link(at, phrases.keep).click();
    expect(
      await at.page.getByText(phrases.history_given).or(at.page.getByText(phrases.history_replaced)).count(),
    ).to.be.above(0);
    expect(await statusOf(tokens)).to.equal(200);
  });

  it("withdraws a consent once, with a double click and in two tabs", async () => {
    const tokens = await give();
    const at = await comeTo({}, "en");
    await link(at, phrases.withdraw).click();
    const other = await at.page.context().newPage();
    await other.goto(at.page.url());
    await at.page.getByRole("button", { name: phrases.withdraw, exact: true }).dblclick();
    await at.page.getByRole("heading", { level: 1, name: phrases.consent_withdrawn }).waitFor();
    await other.getByRole("button", { name: phrases.withdraw, exact: true }).click();
    await other.getByRole("heading", { level: 1, name: phrases.consent_withdrawn }).waitFor();
    await ended(tokens);
  });

  it("can change the language at the question, and stays there", async () => {
    await give();
    const at = await comeTo({}, "en");
    await link(at, phrases.withdraw).click();
    await at.page.getByRole("link", { name: "Čeština" }).click();
    expect(
      await at.page.getByRole("button", { name: TEXTS.cs.phrases.withdraw, exact: true }).count(),
    ).to.equal(1);
  });

  it("sees no consents after signing out, going back and reloading", async () => {
    const at = await comeTo({}, "en");
    await at.press(phrases.sign_out);
    expect(await at.heading()).to.equal(TEXTS.en.messages.signed_out.title);
    await at.page.goBack();
    await at.page.reload();
    expect(await at.heading()).to.equal(phrases.sign_in_title);
  });

  for (const javaScriptEnabled of [true, false]) {
    const scripts = javaScriptEnabled ? "with JavaScript" : "without JavaScript";
    it(`searches the accounts of a company, with Enter too, and loses no tick: ${scripts}`, async () => {
      const psu = scene.psu("firma");
      const [first, second] = [psu.accounts[2], psu.accounts[30]];
      if (first === undefined || second === undefined) throw new Error("the company has fewer accounts");
      const at = await arrive(scene, { look: { javaScriptEnabled } });
      await at.signIn(psu);
      await at.choose([first.id]);
      await at.page.getByLabel(phrases.find).fill(second.iban);
      await at.page.getByLabel(phrases.find).press("Enter");
      await at.page.getByText(phrases.find_found.replace("{count}", "1")).waitFor();
      expect(await at.page.getByRole("checkbox").count()).to.equal(1);
      expect(await at.page.locator(".elsewhere").textContent()).to.include(first.name);
      await at.page.getByRole("checkbox").check();
      await at.press(phrases.agree);
      const shown = await scene.accountIds(await at.redeem(await at.back()));
      expect(shown).to.have.members([first.id, second.id]);
    });
  }
});
