import { expect } from "chai";
import type { Page } from "playwright-core";
import { bringAxe, COLOURS, RULES, violations } from "./axe.ts";
import { atPages, TEXTS } from "./psu-at-pages.ts";
import { everyStructure, openSamplesInOneDocument } from "./sample-site.ts";
import { openScene, type Scene } from "./scene.ts";

const { phrases } = TEXTS.en;
/** Colours are held to level AAA, everything else to AA. */
const ALL = [...RULES, ...COLOURS];
/** They take turns: the markup is the same, only the words differ. */
const LANGUAGES = ["cs", "en"] as const;

/** In the dark the colours alone are others. */
async function expectNone(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  expect(await violations(page, ALL), name).to.deep.equal([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await violations(page, COLOURS), `${name} dark`).to.deep.equal([]);
}

describe("The accessibility of the pages", function accessibility() {
  this.timeout(400_000);
  let scene: Scene;

  before(async () => {
    scene = await openScene();
  });

  it("has no violation on any page, in light and dark (WCAG 2.2 AA)", async () => {
    const page = await scene.visitor();
    await bringAxe(page);
    const show = await openSamplesInOneDocument(page);
    for (const [turn, language] of LANGUAGES.entries())
      for (const [index, [name, html]] of [...everyStructure(language)].entries()) {
        if (index % LANGUAGES.length !== turn) continue;
        await show(html);
        await expectNone(page, `${name} ${language}`);
      }
  });

  it("has no violation on the real pages of a journey, with and without faults", async () => {
    const begun = await scene.begin();
    const at = atPages(scene, await scene.visitor({ bypassCSP: true }));
    await bringAxe(at.page);
    await at.page.goto(begun.url.href);
    await expectNone(at.page, "sign-in");
    await at.press(phrases.sign_in);
    await expectNone(at.page, "sign-in with faults");
    await at.signIn(scene.psu("firma"));
    const consentPage = at.page.url();
    await expectNone(at.page, "consent");
    await at.press(phrases.agree);
    await expectNone(at.page, "consent with a fault");
    await at.choose("all");
    await at.press(phrases.agree);
    await at.back();
    await at.page.goto(consentPage);
    await expectNone(at.page, "page that is over");
  });
});
