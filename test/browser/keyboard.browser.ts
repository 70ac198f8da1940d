import { expect } from "chai";
import type { Page } from "playwright-core";
import type { DocumentedPsu } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { DOMESTIC_ORDER } from "../auth/signing/sample-orders.ts";
import { forgetUsedCodes } from "../journeys/journey-sandbox.ts";
import { askForSigning } from "../journeys/sandbox-signing.ts";
import { newestCode } from "./newest-code.ts";
import { arrive, presentCode, TEXTS } from "./psu-at-pages.ts";
import { openScene, type Scene } from "./scene.ts";

const { phrases, messages } = TEXTS.en;
const MOST_STOPS = 50;

describe("The journey by keyboard alone", function keyboard() {
  this.timeout(120_000);
  let scene: Scene;

  before(async () => {
    scene = await openScene();
  });

  for (const colorScheme of ["light", "dark"] as const) {
    it(`needs Tab, Space, arrows and Enter, with the focus always visible: ${colorScheme} (WCAG 2.2 2.1.1, 2.4.7)`, async () => {
      const psu = scene.psu("petr");
      const { page, redeem, back } = await arrive(scene, { look: { colorScheme } });
      await signIn(page, psu);
      await page.getByRole("heading", { name: phrases.consent_title_aisp }).waitFor();

      await tabTo(page, "#choice");
      await page.keyboard.press("ArrowDown");
      expect(await page.locator("#choice-some:checked").count()).to.equal(1);
      await tabTo(page, "#account-2");
      await page.keyboard.press("Space");
      const ticked = await page.locator("#account-2:checked").getAttribute("value");
      await tabTo(page, "button.primary");
      await page.keyboard.press("Enter");
      expect(await scene.accountIds(await redeem(await back()))).to.deep.equal([ticked]);
    });
  }

  it("approves a payment, and goes back to the TPP (WCAG 2.2 2.1.1)", async () => {
    const psu = scene.psu("petr");
    const { paymentApplication: application } = scene;
    const asked = await askForSigning(scene.document, {
      psuId: psu.psuId,
      application,
      order: DOMESTIC_ORDER,
    });
    const page = await scene.visitor();
    await page.goto(asked.url);
    await signIn(page, psu);
    await page.getByRole("heading", { name: phrases.order_title }).waitFor();
    const code = await newestCode(scene, psu.psuId);
    await tabTo(page, "#code");
    await page.keyboard.type(code);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: messages.signing_approved.title }).waitFor();
    await tabTo(page, "a.primary");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.origin === scene.site.url.origin);
  });

  it("withdraws a consent, and shows that it is over (WCAG 2.2 2.1.1)", async () => {
    const psu = scene.psu("marie");
    const application = await scene.tpp.register();
    await scene.tpp.authorize(application, { psu: psu.username, accounts: "all" });
    await forgetUsedCodes(scene.document);
    const page = await scene.visitor();
    await page.goto(new URL("/consents", scene.document.auth.browser).href);
    await signIn(page, psu);
    await page.getByRole("heading", { name: phrases.consents_title }).waitFor();
    await tabTo(page, "article .button:not(.quiet)");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: phrases.withdraw, exact: true }).waitFor();
    await tabTo(page, "button.primary");
    await page.keyboard.press("Enter");
    await page.getByText(phrases.consent_withdrawn).first().waitFor();
  });

  it("refuses with Space on the button, and skips to the content with the first link (WCAG 2.2 2.4.1)", async () => {
    const at = await arrive(scene);
    await at.page.keyboard.press("Tab");
    expect(await at.page.locator(":focus").textContent()).to.equal(phrases.skip_link);
    await expectVisibleFocus(at.page);
    await at.page.keyboard.press("Enter");
    await at.page.keyboard.press("Tab");
    expect(await at.page.locator("#username:focus").count()).to.equal(1);
    await tabTo(at.page, "button.quiet");
    await at.page.keyboard.press("Space");
    expect((await at.back()).searchParams.get("error")).to.equal("access_denied");
  });

  async function signIn(page: Page, psu: DocumentedPsu): Promise<void> {
    await tabTo(page, "#username");
    await page.keyboard.type(psu.username);
    await tabTo(page, "#password");
    await page.keyboard.type(psu.password);
    await tabTo(page, "#one_time_code");
    await page.keyboard.type(presentCode(psu));
    await page.keyboard.press("Enter");
  }
});

/** Presses Tab until the element has the focus; every stop on the way must be seen. */
async function tabTo(page: Page, selector: string): Promise<void> {
  // What is seen of a page that has not wholly arrived says nothing of its style.
  await page.waitForLoadState();
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await page.keyboard.press("Tab");
    await expectVisibleFocus(page);
    if ((await page.locator(`${selector}:focus`).count()) === 1) return;
  }
  throw new Error(`Tab does not lead to ${selector}`);
}

async function expectVisibleFocus(page: Page): Promise<void> {
  const style = "getComputedStyle(document.activeElement)";
  const outline: unknown = await page.evaluate(`${style}.outlineStyle + " " + ${style}.outlineWidth`);
  expect(outline).to.equal("solid 3px");
  const box = await page.locator(":focus").boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  expect(box?.y, "top of the focus").to.be.within(0, height);
}
