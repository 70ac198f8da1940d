import { expect } from "chai";
import type { Page } from "playwright-core";
import { DOMESTIC_ORDER } from "../auth/signing/sample-orders.ts";
import { askForSigning } from "../journeys/sandbox-signing.ts";
import { atPages, TEXTS } from "./psu-at-pages.ts";
import { openScene, type Scene } from "./scene.ts";

const { phrases, messages } = TEXTS.en;
const PAGE_LIMIT_BYTES = 60_000;

/** The pages of ours that a browser has shown, with what came over the wire for each. */
interface Shown {
  readonly titles: readonly string[];
  readonly bytes: readonly number[];
}

describe("The number of pages that a PSU sees", function screens() {
  this.timeout(120_000);
  let scene: Scene;

  before(async () => {
    scene = await openScene();
  });

  /** Counts what is shown from now on: answers of ours with a page, and no redirects. */
  function watch(page: Page): Shown {
    const titles: string[] = [];
    const bytes: number[] = [];
    page.on("response", (response) => {
      const { pathname, origin } = new URL(response.url());
      const isPage = response.request().isNavigationRequest() && response.status() < 300;
      if (origin !== scene.document.issuer || !isPage) return;
      titles.push(pathname);
      bytes.push(Number(response.headers()["content-length"]));
    });
    return { titles, bytes };
  }

  it("is two from the redirect to the code of a first consent", async () => {
    const begun = await scene.begin("aisp");
    const at = atPages(scene, await scene.visitor());
    const shown = watch(at.page);
    await at.page.goto(begun.url.href);
    await at.signIn(scene.psu("petr"));
    await at.choose("all");
    await at.press(phrases.agree);
    expect((await at.back()).searchParams.has("code")).to.equal(true);
    expect(shown.titles, shown.titles.join()).to.have.length(2);
    for (const bytes of shown.bytes) expect(bytes).to.be.below(PAGE_LIMIT_BYTES);
  });

  it("is three from the redirect to an approved payment, its success included", async () => {
    const { psuId } = scene.psu("petr");
    const asked = await askForSigning(scene.document, {
      psuId,
      application: scene.paymentApplication,
      order: DOMESTIC_ORDER,
    });
    const at = atPages(scene, await scene.visitor());
    const shown = watch(at.page);
    await at.page.goto(asked.url);
    await at.fillIn(scene.psu("petr"));
    await at.press(phrases.sign_in);
    await at.page.getByLabel(phrases.bound_code).fill(await newestCode(at.page, psuId));
    await at.press(phrases.approve_payment);
    await at.page.getByRole("heading", { name: messages.signing_approved.title }).waitFor();
    expect(shown.titles, shown.titles.join()).to.have.length(3);
    for (const bytes of shown.bytes) expect(bytes).to.be.below(PAGE_LIMIT_BYTES);
  });

  async function newestCode(page: Page, psuId: string): Promise<string> {
    const phone = await page.context().newPage();
    await phone.goto(new URL(`/sandbox/inbox/${psuId}`, scene.document.auth.browser).href);
    const texts = await phone.locator(".exact").allTextContents();
    await phone.close();
    return texts.flatMap((text) => /\d{4} \d{4}/.exec(text)?.[0] ?? [])[0] ?? "";
  }
});
