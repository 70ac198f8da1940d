import type { Language } from "@cobs/cobs-model";
import type { Page } from "playwright-core";
import { createPages } from "../../packages/auth/src/pages/pages.ts";
import { samplePages } from "../auth/pages/sample-pages.ts";

const pages = createPages({ bankName: "Sandbox Bank" });
const ORIGIN = "https://login.bank.example";

/** Every page that auth can show, also those that are hard to bring about, by name. */
export function everyPage(language: Language): ReadonlyMap<string, string> {
  return samplePages(pages, language);
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
