/** Ways in which a PSU may see a page: screen, language, and whether scripts run. */
import type { Language } from "@cobs/cobs-model";
import type { BrowserContextOptions } from "playwright-core";

/** One way of seeing a page. */
export interface Look {
  /** Used in test names. */
  readonly name: string;
  readonly language: Language;
  /** Options of the browser context. */
  readonly browser: BrowserContextOptions;
}

const SIZES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
} as const;
const LOCALES: Readonly<Record<Language, string>> = { cs: "cs-CZ", en: "en-GB" };
const SCRIPTS = { "with JavaScript": true, "without JavaScript": false } as const;

/** Every screen in every language, with scripts and without. */
export const EVERY_LOOK: readonly Look[] = Object.entries(SIZES).flatMap(([size, screen]) =>
  (["cs", "en"] as const).flatMap((language) =>
    Object.entries(SCRIPTS).map(([scripts, javaScriptEnabled]) => ({
      name: `${size}, ${language}, ${scripts}`,
      language,
      browser: { ...screen, locale: LOCALES[language], javaScriptEnabled },
    })),
  ),
);

/** Half of them, which still cover every pair of screen, language and scripts; the journey covers all combinations. */
export const PAIRED_LOOKS = EVERY_LOOK.filter((_, index) => [0, 3, 5, 6].includes(index));

/** Two of them that have nothing in common. */
export const OPPOSITE_LOOKS = EVERY_LOOK.filter((_, index) => [0, 7].includes(index));

/** Each screen and each language once, with scripts. */
export const LOOKS_WITH_SCRIPTS = EVERY_LOOK.filter((_, index) => [0, 6].includes(index));
