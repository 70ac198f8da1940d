import axe from "axe-core";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { arrive, TEXTS } from "./psu-at-pages.ts";
import { everyPage, openSamples } from "./sample-site.ts";
import { openScene, type Scene } from "./scene.ts";

const { phrases } = TEXTS.en;
/** Colours are held to level AAA, everything else to AA. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice", "cat.color"];
/** They take turns: the markup is the same, only the words differ. */
const LANGUAGES = ["cs", "en"] as const;
const SCHEMES = ["light", "dark"] as const;

describe("the accessibility of the pages", function accessibility() {
  this.timeout(180_000);
  let scene: Scene;

  before(async () => {
    scene = await openScene();
  });

  it("has no violation on any page, in light and dark (WCAG 2.2 AA)", async () => {
    const page = await scene.visitor();
    const show = await openSamples(page);
    for (const [index, name] of [...everyPage("en").keys()].entries()) {
      const language = LANGUAGES[index % LANGUAGES.length] ?? "en";
      await show(everyPage(language).get(name) ?? "");
      await page.evaluate(axe.source);
      await page.emulateMedia({ colorScheme: "light" });
      expect(await violations(page, RULES), `${name} ${language}`).to.deep.equal([]);
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await violations(page, ["cat.color"]), `${name} ${language} dark`).to.deep.equal([]);
    }
  });

  it("has no violation on the real pages of a journey either, with their faults", async () => {
    const at = await arrive(scene, { look: { bypassCSP: true } });
    const expectNone = async (name: string) => {
      await at.page.evaluate(axe.source);
      for (const colorScheme of SCHEMES) {
        await at.page.emulateMedia({ colorScheme });
        expect(await violations(at.page, RULES), `${name} ${colorScheme}`).to.deep.equal([]);
      }
    };
    await expectNone("sign-in");
    await at.press(phrases.sign_in);
    await expectNone("sign-in with faults");
    await at.signIn(scene.psu("firma"));
    const consentPage = at.page.url();
    await expectNone("consent");
    await at.press(phrases.agree);
    await expectNone("consent with a fault");
    await at.choose("all");
    await at.press(phrases.agree);
    await at.back();
    await at.page.goto(consentPage);
    await expectNone("page that is over");
  });
});

/** What axe finds by the rules with these tags: rule, and where. */
async function violations(page: Page, tags: readonly string[]): Promise<readonly string[]> {
  const options = JSON.stringify({ runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] });
  const results: axe.AxeResults = await page.evaluate(`axe.run(document, ${options})`);
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.join(" ")}`),
  );
}
