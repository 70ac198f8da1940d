import { expect } from "chai";
import { forgetUsedCodes, journeySandbox } from "../journeys/journey-sandbox.ts";
import { untilRefused } from "../journeys/until-refused.ts";
import { runProgram } from "../support/program.ts";
import { type Look, OPPOSITE_LOOKS } from "./looks.ts";
import { atPages, type PsuAtPages, TEXTS } from "./psu-at-pages.ts";
import { openScene, type Scene } from "./scene.ts";

const USERNAME = "petr";
const CERTIFICATE = "all-roles";

describe("A PSU who looks after consents to card issuers in a browser", function cardConsents() {
  this.timeout(120_000);
  let scene: Scene;
  let organisation: string;
  let account: { readonly id: string; readonly iban: string };

  before(async () => {
    scene = await openScene();
    const certificate = scene.document.certificates.find(({ name }) => name === CERTIFICATE);
    organisation = certificate?.organisationIdentifier ?? "";
    const found = scene.psu(USERNAME).accounts.find(({ currency }) => currency === "CZK");
    if (found === undefined) throw new Error(`${USERNAME} has no account in CZK`);
    account = found;
  });

  /** The bank writes a consent down. */
  async function give(): Promise<void> {
    const { environment } = await journeySandbox();
    const about = ["--psu", scene.psu(USERNAME).psuId, "--account", account.id, "--iban", account.iban];
    const line = ["card-consents", "give", "--tpp", organisation, ...about];
    const given = await runProgram("packages/sandbox/src/operator/main.ts", line, environment);
    expect(given, given.stderr).to.include({ exitCode: 0 });
  }

  /** What a card issuer is answered. */
  async function check(): Promise<number> {
    const body = JSON.stringify({
      exchangeIdentification: `b${Math.random().toString(36).slice(2, 14)}`,
      debtorAccount: { identification: { iban: account.iban } },
      transactionDetails: { currency: "CZK", totalAmount: 1 },
    });
    const url = `${scene.document.resourceBase}/accounts/balanceCheck`;
    const headers = { "content-type": "application/json" };
    return (await scene.tpp.fetch(url, { method: "POST", headers, body, redirect: "manual" })).status;
  }

  async function comeTo({ browser, language }: Look): Promise<PsuAtPages> {
    await forgetUsedCodes(scene.document);
    const at = atPages(scene, await scene.visitor(browser), language);
    await at.page.goto(new URL("/consents", scene.document.auth.browser).href);
    await at.fillIn(scene.psu(USERNAME));
    await at.press(TEXTS[language].phrases.sign_in);
    await at.page
      .getByRole("heading", { name: TEXTS[language].phrases.card_consents, exact: true })
      .waitFor();
    return at;
  }

  for (const look of OPPOSITE_LOOKS) {
    it(`sees who may ask about which account, and withdraws it after one question: ${look.name} (COBS 3.3.3)`, async () => {
      const words = TEXTS[look.language].phrases;
      await give();
      expect(await check()).to.equal(200);
      const at = await comeTo(look);
      const question = at.page.locator('a[href*="?card="]').first();
      const listed = (await at.page.locator("main").textContent()) ?? "";
      for (const told of [words.card_consent_may, organisation]) expect(listed).to.include(told);
      expect(listed.replaceAll(/\s/g, "")).to.include(account.iban);
      await question.click();
      await at.page.getByText(words.card_withdraw_effect).waitFor();
      await at.press(words.withdraw);
      await at.page.getByText(words.ended_withdrawn).first().waitFor();
      expect((await at.done()).replaceAll(/\s/g, "")).to.include(account.iban);
      await at.page.reload();
      expect(await at.done()).to.equal("");
      expect(await at.page.locator("main").textContent()).to.include(words.card_consents_over);
      // Resource hears of it a moment later than the PSU, and in any case within what it promises.
      await untilRefused(check, 403);
    });
  }
});
