import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { SCREENSHOTS } from "../support/test-environment.ts";
import { everyPage, openSamples } from "./sample-site.ts";
import { openScene, type Scene } from "./scene.ts";

const LANGUAGES = ["cs", "en"] as const;
const PICTURES_MILLISECONDS = 400_000;
const WIDTHS = { desktop: 1280, phone: 360, narrow: 320 } as const;

describe("every page", function layout() {
  this.timeout(120_000);
  let scene: Scene;
  let page: Page;

  before(async () => {
    scene = await openScene();
  });
  beforeEach(async () => {
    page = await scene.visitor();
  });

  for (const language of LANGUAGES) {
    it(`fits 320 pixels in ${language} without scrolling sideways, also with letters twice as large (WCAG 2.2 1.4.4, 1.4.10)`, async () => {
      const show = await openSamples(page);
      for (const [name, html] of everyPage(language)) {
        await page.setViewportSize({ width: WIDTHS.narrow, height: 740 });
        await show(html);
        expect(await page.evaluate("document.documentElement.scrollWidth"), name).to.equal(WIDTHS.narrow);
        await page.setViewportSize({ width: 640, height: 740 });
        await page.addStyleTag({ content: "html { font-size: 200% }" });
        expect(await page.evaluate("document.documentElement.scrollWidth"), name).to.equal(640);
      }
    });
  }

  if (SCREENSHOTS !== undefined) {
    it("is written as a picture, for looking at", async () => {
      const folder = SCREENSHOTS ?? "";
      await mkdir(folder, { recursive: true });
      const show = await openSamples(page);
      for (const language of LANGUAGES) {
        for (const [name, html] of everyPage(language)) {
          await show(html);
          for (const look of looksOf(name, language)) {
            await page.setViewportSize({ width: WIDTHS[look.size], height: 740 });
            await page.emulateMedia(look);
            const path = join(
              folder,
              `${name}.${look.size}.${language}.${look.media ?? look.colorScheme}.png`,
            );
            await page.screenshot({ path, fullPage: true });
          }
        }
      }
    }).timeout(PICTURES_MILLISECONDS);
  }
});

/** How a page is looked at: each language in one size; pages that only say something differ in words, orders are printed. */
function looksOf(name: string, language: (typeof LANGUAGES)[number]): readonly Look[] {
  if (name.startsWith("message-")) return language === "cs" ? [LOOKS.cs] : [];
  if (name.startsWith("order")) return [LOOKS[language], { ...LOOKS[language], media: "print" }];
  return [LOOKS[language]];
}

interface Look {
  readonly size: keyof typeof WIDTHS;
  readonly colorScheme: "light" | "dark";
  readonly media: "print" | null;
}

const LOOKS: Readonly<Record<(typeof LANGUAGES)[number], Look>> = {
  cs: { size: "phone", colorScheme: "light", media: null },
  en: { size: "desktop", colorScheme: "dark", media: null },
};
