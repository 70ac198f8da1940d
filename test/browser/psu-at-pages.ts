import type { Language } from "@cobs/cobs-model";
import type { BrowserContextOptions, Page } from "playwright-core";
import { cs } from "../../packages/auth/src/pages/texts/cs.ts";
import { en } from "../../packages/auth/src/pages/texts/en.ts";
import type { Texts } from "../../packages/auth/src/pages/texts/texts.ts";
import type { DocumentedPsu } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import type { BegunAuthorization } from "../../packages/sandbox/src/tpp/oauth-client.ts";
import { oneTimeCode } from "../../packages/sandbox/src/tpp/one-time-codes.ts";
import type { Scene } from "./scene.ts";

/** Texts of the pages, by language. */
export const TEXTS: Readonly<Record<Language, Texts>> = { cs, en };

const STEP_MILLISECONDS = 30_000;

/** Acts as a PSU on a page; finds everything by what a person reads. */
export interface PsuAtPages {
  readonly page: Page;
  /** Fills in the sign-in page, with replaced values if given. */
  fillIn(
    psu: DocumentedPsu,
    instead?: { readonly password?: string; readonly oneTimeCode?: string },
  ): Promise<void>;
  /** Fills in and submits the sign-in page, and waits for the consent page. */
  signIn(psu: DocumentedPsu): Promise<void>;
  /** Ticks accounts by their ids, or all; a PSU with a single account has nothing to choose. */
  choose(accounts: "all" | readonly string[]): Promise<void>;
  press(name: string): Promise<void>;
  /** Waits until the browser is back at the TPP, and returns the URL at which it arrived. */
  back(): Promise<URL>;
  heading(): Promise<string>;
  /** What the page reports about the act that led to it; empty if it reports nothing. */
  done(): Promise<string>;
}

/** Lets a PSU act on a page whose texts are in one language. */
export function atPages(scene: Scene, page: Page, language: Language = "en"): PsuAtPages {
  const { phrases } = TEXTS[language];
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const fillIn: PsuAtPages["fillIn"] = async (psu, instead = {}) => {
    await page.getByLabel(phrases.username).fill(psu.username);
    await page.getByLabel(phrases.password).fill(instead.password ?? psu.password);
    await page.getByLabel(phrases.one_time_code).fill(instead.oneTimeCode ?? presentCode(psu));
  };
  return {
    page,
    press,
    fillIn,
    signIn: async (psu) => {
      await fillIn(psu);
      await press(phrases.sign_in);
      await page.getByRole("button", { name: phrases.agree, exact: true }).waitFor();
    },
    choose: async (accounts) => {
      await page
        .getByRole("radio")
        .nth(accounts === "all" ? 0 : 1)
        .check();
      if (accounts === "all") return;
      for (const id of accounts) await page.locator(`input[type=checkbox][value="${id}"]`).check();
    },
    back: async () => {
      await page.waitForURL((url) => url.origin === scene.site.url.origin);
      return new URL(page.url());
    },
    heading: async () => (await page.getByRole("heading", { level: 1 }).textContent()) ?? "",
    done: async () => (await page.getByRole("status").and(page.locator(".done")).allTextContents()).join(),
  };
}

/** Sends a PSU away from the application in a fresh browser; they arrive at the sign-in page. */
export async function arrive(
  scene: Scene,
  input: {
    readonly scope?: string;
    readonly look?: BrowserContextOptions;
    readonly language?: Language;
  } = {},
): Promise<PsuAtPages & BegunAuthorization> {
  const begun = await scene.begin(input.scope);
  const page = await scene.visitor(input.look);
  await page.goto(begun.url.href);
  return { ...atPages(scene, page, input.language), ...begun };
}

/** The code that the PSU's authenticator app shows now. */
export function presentCode({ totpSecret }: DocumentedPsu): string {
  return oneTimeCode(totpSecret, Math.floor(Date.now() / STEP_MILLISECONDS)).code;
}
