import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { SCREENSHOTS } from "../support/test-environment.ts";
import { everyPage, everyStructure, openSamples, openSamplesInOneDocument } from "./sample-site.ts";
import { openScene, type Scene } from "./scene.ts";

const LANGUAGES = ["cs", "en"] as const;
const PICTURES_MILLISECONDS = 400_000;
const SCROLLED = "document.documentElement.scrollWidth";
/** With every kind of button and link that looks like one. */
const PRINTED = ["authenticator", "consents", "consent-thousand", "order", "sign-in"];
const WORDY = [
  "authenticator",
  "consent-accounts",
  "consent-choice-missing",
  "message-rate_limited",
  "order",
  "order-domestic",
  "sign-in-missing",
];
/** What is short and must be read whole: words of headings, buttons and choices, the amount, the last day. */
const WHOLE = "h1, h2, button:not(.quiet), .option label, .order-amount bdi, .until";
/** The words in these that are on more than one line; no space is part of one, also not one that ends no line. */
const BROKEN_WORDS = `[...document.querySelectorAll("${WHOLE}")].flatMap((each) => {
  const texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (texts.nextNode()) {
    for (const { 0: word, index } of texts.currentNode.data.matchAll(/[^\\s-]+/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      if (range.getClientRects().length > 1) broken.push(word);
    }
  }
  return broken;
})`;
/** What is pressed and is lower than that; a link within a sentence, with other words on its line, is as high as that. */
const SMALL_TARGETS = `(() => {
  const isWithinSentence = (link) => {
    const { top, bottom } = link.getBoundingClientRect();
    const texts = document.createTreeWalker(link.parentElement, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      if (link.contains(texts.currentNode) || texts.currentNode.data.trim() === "") continue;
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      if ([...range.getClientRects()].some((line) => line.top < bottom && line.bottom > top)) return true;
    }
    return false;
  };
  return [...document.querySelectorAll("a, button")]
    .filter((each) => !each.matches(".skip, .visually-hidden") && each.checkVisibility())
    .filter((each) => each.getBoundingClientRect().height < 24)
    .filter((each) => !isWithinSentence(each))
    .map((each) => each.outerHTML);
})()`;
/** What stands below the lines of an order, and by how many pixels. */
const GAP_BELOW_ORDER = `(() => {
  const order = document.querySelector(".order");
  const next = order.nextElementSibling;
  return [next.tagName, next.getBoundingClientRect().top - order.getBoundingClientRect().bottom];
})()`;
const WIDTHS = { desktop: 1280, phone: 360, narrow: 320 } as const;

describe("Every page", function layout() {
  this.timeout(300_000);
  let scene: Scene;
  let page: Page;

  before(async () => {
    scene = await openScene();
  });
  beforeEach(async () => {
    page = await scene.visitor();
  });

  for (const language of LANGUAGES) {
    it(`fits 320 pixels in ${language}, at double text size too, with 24-pixel targets (WCAG 2.2 1.4.4, 1.4.10, 2.5.8)`, async () => {
      const show = await openSamplesInOneDocument(page);
      const look = await lookThrough(page);
      for (const [name, html] of everyStructure(language)) {
        await look(WIDTHS.narrow);
        await show(html);
        expect(await page.evaluate(`[innerWidth, ${SCROLLED}]`), name).to.deep.equal([320, 320]);
        expect(await page.evaluate(SMALL_TARGETS), name).to.deep.equal([]);
        await look(WIDTHS.narrow * 2);
        await page.evaluate("document.documentElement.style.fontSize = '200%'");
        expect(await page.evaluate(`[innerWidth, ${SCROLLED}]`), name).to.deep.equal([640, 640]);
      }
    });
  }

  it("leaves room between the lines of an order and what follows them", async () => {
    const show = await openSamplesInOneDocument(page);
    const followed = new Set<string>();
    for (const [name, html] of everyPage("en")) {
      if (!html.includes('<dl class="order">')) continue;
      await show(html);
      const [tag, gap]: readonly [string, number] = await page.evaluate(GAP_BELOW_ORDER);
      expect(gap, name).to.be.at.least(16);
      followed.add(tag);
    }
    expect([...followed]).to.have.members(["P", "UL"]);
  });

  it("leaves each value half of its line, even with letters four times as large", async () => {
    const show = await openSamples(page);
    await page.setViewportSize({ width: WIDTHS.desktop, height: 740 });
    for (const name of ["sign-in", "consents", "order"]) {
      await show(everyPage("cs").get(name) ?? "");
      await page.evaluate("document.documentElement.style.fontSize = '400%'");
      const parts: readonly number[] = await page.evaluate(
        "[...document.querySelectorAll('dd')].map((each) => each.clientWidth / each.parentElement.clientWidth)",
      );
      expect(Math.min(...parts), name).to.be.at.least(0.5);
    }
  });

  it("breaks no word of a heading, button or choice and no amount on a phone at double text size", async () => {
    const show = await openSamples(page);
    const look = await lookThrough(page);
    for (const [name, html] of everyPage("cs")) {
      if (!WORDY.includes(name)) continue;
      // As wide, in letters, as 360 pixels then are; measured so, the letters need not be enlarged.
      await look(WIDTHS.phone / 2);
      await show(html);
      expect(await page.evaluate(BROKEN_WORDS), name).to.deep.equal([]);
    }
  });

  it("is printed without controls, in black on white, even in dark mode", async () => {
    const show = await openSamples(page);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    for (const [name, html] of everyPage("en")) {
      if (!PRINTED.includes(name)) continue;
      await show(html);
      const pressed = page.locator("button, .button, .skip, .languages").and(page.locator(":visible"));
      expect(await pressed.allTextContents(), name).to.deep.equal([]);
      const colours =
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]";
      expect(await page.evaluate(colours), name).to.deep.equal(["rgb(0, 0, 0)", "rgb(255, 255, 255)"]);
      const mark = "getComputedStyle(document.querySelector('.unmarked'), '::before').display";
      expect(await page.evaluate(mark), "the mark, which is a ground, leaves no gap").to.equal("none");
    }
  });

  it("fills the main button in forced colours, and shows quiet ones without a frame", async () => {
    const show = await openSamples(page);
    await page.emulateMedia({ forcedColors: "active" });
    await show(everyPage("en").get("sign-in") ?? "");
    const look = (selector: string) =>
      page.evaluate<Readonly<Record<string, string>>>(
        `(({ forcedColorAdjust, backgroundColor, borderTopColor, color }) =>
          ({ forcedColorAdjust, backgroundColor, borderTopColor, color }))(getComputedStyle(document.querySelector("${selector}")))`,
      );
    const { backgroundColor: ground } = await look("body");
    const primary = await look("button.primary");
    expect(primary.backgroundColor).to.not.equal(ground);
    // Otherwise the browser lays a plate in the colour of the ground behind the letters, which have it too.
    expect(primary).to.include({ forcedColorAdjust: "none", color: ground });
    await page.locator("button.primary").hover();
    expect(await look("button.primary")).to.deep.equal(primary);
    expect(await look("button.quiet")).to.include({ backgroundColor: ground, borderTopColor: ground });
  });

  if (SCREENSHOTS !== undefined) {
    it("is saved as a picture to look at", async () => {
      const folder = SCREENSHOTS ?? "";
      await mkdir(folder, { recursive: true });
      const show = await openSamples(page);
      for (const language of LANGUAGES) {
        await page.setViewportSize({ width: WIDTHS[LOOKS[language].size], height: 740 });
        for (const [name, html] of everyPage(language)) {
          const looks = looksOf(name, language);
          if (looks.length > 0) await show(html);
          for (const look of looks) {
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

/** Gives the page another width, without the window around it, which Chromium would lay out and draw anew each time. */
async function lookThrough(page: Page): Promise<(width: number) => Promise<void>> {
  const devTools = await page.context().newCDPSession(page);
  return async (width) => {
    const metrics = { width, height: 740, deviceScaleFactor: 1, mobile: false };
    await devTools.send("Emulation.setDeviceMetricsOverride", metrics);
  };
}

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
