import type { Language } from "@cobs/cobs-model";
import type { Page } from "playwright-core";
import { createPages } from "../../packages/auth/src/pages/pages.ts";
import { parseBankContact } from "../../packages/auth/src/theme/bank-contact.ts";
import { samplePages } from "../auth/pages/sample-pages.ts";

const pages = createPages({ bankName: "Sandbox Bank", contact: parseBankContact("tel:+420-800-123-456") });
const ORIGIN = "https://login.bank.example";

/** Every page that auth can show, by name, including those that are hard to reach. */
export function everyPage(language: Language): ReadonlyMap<string, string> {
  return samplePages(pages, language);
}

/** Matches what differs between pages of one structure: their texts, and the values of these attributes. */
const WORDS = />[^<]*(?=<)|\s(?:id|href|value|title|aria-label|content|data-[a-z-]+)="[^"]*"/g;

/** Of all pages that have the same markup around other texts, the one with the longest word, which breaks first. */
export function everyStructure(language: Language): ReadonlyMap<string, string> {
  const found = new Map<string, readonly [name: string, html: string]>();
  for (const page of everyPage(language)) {
    const structure = page[1].replace(WORDS, "");
    const known = found.get(structure);
    if (known === undefined || longestWord(page[1]) > longestWord(known[1])) found.set(structure, page);
  }
  return new Map(found.values());
}

function longestWord(html: string): number {
  const words = html.replace(/<[^>]*>/g, " ").split(/\s+/);
  return Math.max(...words.map((word) => word.length));
}

/** Serves these pages to the browser: stylesheet and script are the real ones, every other request fails. */
export async function openSamples(page: Page): Promise<(html: string) => Promise<void>> {
  let shown = "";
  await page.route("**", (route) => route.abort());
  for (const { fileName, type, body } of pages.assets) {
    await page.route(`${ORIGIN}/assets/${fileName}`, (route) => route.fulfill({ body, contentType: type }));
  }
  await page.route(`${ORIGIN}/`, (route) =>
    route.fulfill({ body: shown, contentType: "text/html; charset=utf-8" }),
  );
  return async (html) => {
    shown = html;
    await page.goto(`${ORIGIN}/`);
  };
}

/** Shows all pages in one document, which keeps what was injected into it: axe takes longer to load than the pages. */
export async function openSamplesInOneDocument(page: Page): Promise<(html: string) => Promise<void>> {
  const show = await openSamples(page);
  let isOpen = false;
  return async (html) => {
    if (isOpen) await page.evaluate(rewriting(html));
    else await show(html);
    isOpen = true;
  };
}

/** Replaces the shown page by another, as if it came from a server, and waits for its stylesheet and scripts. */
function rewriting(html: string): string {
  return `new Promise((loaded) => {
    document.open();
    window.addEventListener("load", loaded, { once: true });
    document.write(${JSON.stringify(html)});
    document.close();
  }).then(() => undefined)`;
}
