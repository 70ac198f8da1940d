import { expect } from "chai";
import type { Page } from "playwright-core";
import { bringAxe, RULES, violations } from "./axe.ts";
import { openScene, type Scene } from "./scene.ts";

/** The page itself, once it shows these colours. */
const SHOWN = { light: "html:not(.dark-mode)", dark: "html.dark-mode" } as const;
const NO_COLOUR = "rgba(0, 0, 0, 0)";
const OPERATIONS = "#viewer .opblock";

describe("The documentation of the interface in a browser", function documentation() {
  this.timeout(120_000);
  let scene: Scene;
  before(async () => {
    scene = await openScene();
  });

  const open = async (page: Page) => {
    await page.goto(`${scene.document.auth.browser}/docs`);
    await page.locator(OPERATIONS).first().waitFor();
  };

  // Opening the viewer takes longer than all that is looked at in it: a page serves as many tests as its look allows.
  it("is shown by the viewer instead of the index, with parameters, answers and examples, nothing to try out or sign in to, no foreign request and no breach of the policy", async () => {
    const page = await scene.visitor();
    const complaints: string[] = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (asked) => {
      const isOurs =
        asked.url().startsWith(`${scene.document.auth.browser}/`) || asked.url().startsWith("data:");
      if (!isOurs) complaints.push(asked.url());
    });
    await open(page);
    expect(await page.locator(OPERATIONS).count()).to.be.greaterThan(30);
    expect(await page.locator("#index").isHidden()).to.equal(true);
    const operation = page.locator("#operations-Accounts-listTransactions");
    await operation.locator(".opblock-summary-control").click();
    await operation.locator(".responses-wrapper").waitFor();
    const shown = await operation.innerText();
    expect(shown).to.contain(`${scene.document.resourceBase}/my/accounts/{id}/transactions`);
    for (const text of [
      "fromDate",
      "User-Involved",
      "DT01",
      "PAGE_NOT_FOUND",
      "Retry-After",
      "bankTransactionCode",
    ])
      expect(shown).to.contain(text);
    expect(
      await page
        .locator("#viewer .try-out, #viewer .authorize, #viewer .execute, #viewer input:visible")
        .count(),
    ).to.equal(0);
    expect(complaints).to.deep.equal([]);
  });

  it("follows the colours that the reader prefers, on the page's dark background too, fits a phone, and is printed light", async () => {
    const look = { colorScheme: "dark", viewport: { width: 360, height: 740 } } as const;
    const page = await scene.visitor(look);
    await open(page);
    await page.locator(SHOWN.dark).waitFor();
    const width = await page.evaluate("document.documentElement.scrollWidth");
    expect(width).to.equal(look.viewport.width);
    const grounds: unknown = await page.evaluate(
      "[document.documentElement, viewer.firstElementChild].map((each) => getComputedStyle(each).backgroundColor)",
    );
    expect(grounds).to.deep.equal([NO_COLOUR, NO_COLOUR]);
    await page.emulateMedia({ colorScheme: "light" });
    await page.locator(SHOWN.light).waitFor();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.locator(SHOWN.dark).waitFor();
    await page.emulateMedia({ colorScheme: "dark", media: "print" });
    await page.locator(SHOWN.light).waitFor();
  });

  it("is a plain index without JavaScript", async () => {
    const page = await scene.visitor({ javaScriptEnabled: false });
    await page.goto(`${scene.document.auth.browser}/docs`);
    expect(await page.locator("#index").isVisible()).to.equal(true);
    expect(await page.locator("#viewer").isHidden()).to.equal(true);
    expect(await page.locator("#listTransactions").innerText()).to.equal("The history of an account");
  });

  it("has no violation of accessibility in our own part, in light and dark (WCAG 2.2 AA)", async () => {
    const page = await scene.visitor({ bypassCSP: true });
    await bringAxe(page);
    await open(page);
    await expectNone(page, "around the viewer", "#viewer");
    await page.evaluate("viewer.remove(), index.hidden = false");
    await expectNone(page, "index");
  });
});

async function expectNone(page: Page, what: string, except?: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(SHOWN[colorScheme]).waitFor();
    expect(await violations(page, RULES, except), `${colorScheme} ${what}`).to.deep.equal([]);
  }
}
