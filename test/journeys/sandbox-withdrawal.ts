import type {
  DocumentedPsu,
  SandboxDocument,
} from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { signInFields, untouchedFields } from "../../packages/sandbox/src/tpp/consent-as-psu.ts";
import { createFormBrowser, type FormBrowser } from "../../packages/sandbox/src/tpp/form-browser.ts";
import { readHtmlPage } from "../../packages/sandbox/src/tpp/html-page.ts";
import { nextOneTimeCode } from "../../packages/sandbox/src/tpp/one-time-codes.ts";
import { openTppFetch } from "../../packages/sandbox/src/tpp/tpp-fetch.ts";
import { openUsedSteps, usedStepsFile } from "../../packages/sandbox/src/tpp/used-steps-file.ts";

/** A PSU at the confirmation page for withdrawing the newest of their consents. */
export interface AskedPsu {
  /** Confirms; resolves with the title of the next page. */
  withdraw(): Promise<string>;
  close(): Promise<void>;
}

const MOST_SIGN_INS = 3;
const NOWHERE = "https://localhost/not-a-way-back";

/** Path and form of the confirmation page before a withdrawal: of a consent to a TPP, and of one to a card issuer. */
const QUESTIONS = {
  consent: { link: /href="(\/consents\?withdraw=[\w-]{22})"/, form: "/withdraw" },
  card: { link: /href="(\/consents\?card=[\w-]{22})"/, form: "/withdraw-card" },
} as const;

/** Signs in at the page of consents, and opens the confirmation page for the newest consent of the kind. */
export async function askToWithdraw(
  sandbox: SandboxDocument,
  psu: DocumentedPsu,
  kind: keyof typeof QUESTIONS = "consent",
): Promise<AskedPsu> {
  const wanted = QUESTIONS[kind];
  const web = await openTppFetch(sandbox.ca);
  const browser = createFormBrowser(web.fetch, NOWHERE);
  const start = new URL("/consents", sandbox.issuer);
  const list = await signIn(browser, start, { sandbox, psu });
  const [, path = "/"] = wanted.link.exec(list) ?? [];
  const question = await browser.open(new URL(path, start));
  const html = question.kind === "page" ? question.html : "";
  const form = readHtmlPage(html).forms.find(({ action }) => action.endsWith(wanted.form));
  if (form === undefined) throw new Error(`no question: ${html}`);
  return {
    async withdraw() {
      const done = await browser.submit(new URL(form.action, start), untouchedFields(form));
      return done.kind === "page" ? readHtmlPage(done.html).title : "";
    },
    close: () => web.close(),
  };
}

async function signIn(
  browser: FormBrowser,
  start: URL,
  { sandbox, psu }: { readonly sandbox: SandboxDocument; readonly psu: DocumentedPsu },
): Promise<string> {
  const usedSteps = openUsedSteps(usedStepsFile(sandbox.directory));
  const nextCode = () => nextOneTimeCode(psu, usedSteps, () => {});
  let visit = await browser.open(start);
  for (let tries = 0; tries < MOST_SIGN_INS && visit.kind === "page"; tries += 1) {
    const page = readHtmlPage(visit.html);
    const form = page.forms.find(({ fields }) => fields.some(({ type }) => type === "password"));
    if (form === undefined) return visit.html;
    const fields = await signInFields(form, { ...psu, nextCode });
    visit = await browser.submit(new URL(form.action, visit.url), fields);
  }
  return visit.kind === "page" ? visit.html : "";
}
