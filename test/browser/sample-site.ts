import type { Language } from "@cobs/cobs-model";
import type { Page } from "playwright-core";
import { createPages } from "../../packages/auth/src/pages/pages.ts";
import { parseBankContact } from "../../packages/auth/src/theme/bank-contact.ts";
import { samplePages } from "../auth/pages/sample-pages.ts";

const pages = createPages({ bankName: "Sandbox Bank", contact: parseBankContact("tel:+420-800-123-456") });
const ORIGIN = "https://login.bank.example";

/** Every page that auth can show, also those that are hard to bring about, by name. */
export function everyPage(language: Language): ReadonlyMap<string, string> {
  return samplePages(pages, language);
}

/** What differs between pages of one structure: their words, and what is written in these attributes. */
const WORDS = />[^<]*(?=<)|\s(?:id|href|value|title|aria-label|content|data-[a-z-]+)="[^"]*"/g;

/** Of every page with the same markup around other words, the one with the longest word: what breaks one, breaks it first. */
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

/** Gives the browser a site of these pages: stylesheet and script are the real ones, everything else fails. */
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

/** The same in one document for all pages, which keeps what was brought into it: a judge that takes longer to be read than they. */
export async function openSamplesInOneDocument(page: Page): Promise<(html: string) => Promise<void>> {
  const show = await openSamples(page);
  let isOpen = false;
  return async (html) => {
    if (isOpen) await page.evaluate(rewriting(html));
    else await show(html);
    isOpen = true;
  };
}

/** Puts a page in the place of the one that is shown, as it comes from a server, and waits for its stylesheet and its scripts. */
function rewriting(html: string): string {
  return `new Promise((loaded) => {
    document.open();
    window.addEventListener("load", loaded, { once: true });
    document.write(${JSON.stringify(html)});
    document.close();
  }).then(() => undefined)`;
}
