/**
 * Visits that PSUs have begun before a fault: two are being asked for a consent, and one is signed in at the page of consents.
 * The bank recognises them only by its sessions and interactions, so they show whether those are believed afterwards.
 */
import { requirePsu } from "../../../packages/sandbox/src/tpp/command.ts";
import { signInFields, untouchedFields } from "../../../packages/sandbox/src/tpp/consent-as-psu.ts";
import {
  createFormBrowser,
  type FormBrowser,
  type Visit,
} from "../../../packages/sandbox/src/tpp/form-browser.ts";
import { type HtmlForm, readHtmlPage } from "../../../packages/sandbox/src/tpp/html-page.ts";
import { nextOneTimeCode } from "../../../packages/sandbox/src/tpp/one-time-codes.ts";
import { openUsedSteps, usedStepsFile } from "../../../packages/sandbox/src/tpp/used-steps-file.ts";
import { authorizationUrl, type FaultBank } from "./fault-bank.ts";

/** The visits, each in its own browser. */
export interface BegunVisits {
  /** One of the asked PSUs agrees, and the signed-in PSU signs out. */
  end(): Promise<void>;
  /** Visits that can continue where they were, as breaches. */
  goOn(): Promise<readonly string[]>;
}

/** A form on the page where a browser is. */
interface AtForm {
  readonly browser: FormBrowser;
  readonly url: URL;
  readonly form: HtmlForm;
}

const isSignIn = ({ fields }: HtmlForm) => fields.some(({ type }) => type === "password");
const leadsTo = (name: string) => (form: HtmlForm) => form.action.endsWith(`/${name}`);

/** Begins the visits; throws if one of them does not get that far. */
export async function beginVisits(bank: FaultBank): Promise<BegunVisits> {
  const [agreeing, waiting, signedIn] = [
    await askForConsent(bank, "jana"),
    await askForConsent(bank, "petr"),
    await signInAt(bank, new URL("/consents", bank.topology.document.issuer), "petr"),
  ];
  const consents = new URL("/consents", signedIn.url);
  const cookies = signedIn.cookies();
  if (hasForm(await openWith(bank, consents, cookies), isSignIn))
    throw new Error("the cookies of a PSU who is signed in are not enough before the fault");
  return {
    end: async () => {
      const back = await agree(agreeing);
      if (back.kind !== "returned" || !back.url.searchParams.has("code"))
        throw new Error("a PSU who consents before the fault gets no code");
      const form = formOn(await signedIn.browser.open(consents), leadsTo("sign-out"));
      await signedIn.browser.submit(new URL(form.action, consents), untouchedFields(form));
      formOn(await signedIn.browser.open(consents), isSignIn);
    },
    goOn: async () => [
      ...unlessGone("an answered question", await agree(agreeing)),
      ...unlessGone("a question", await agree(waiting)),
      // Sent as by a thief who has copied the cookies: the browser itself has none of them after the sign-out.
      ...unlessSignInIsAsked(await openWith(bank, consents, cookies)),
    ],
  };
}

async function askForConsent(bank: FaultBank, username: string): Promise<AtForm> {
  const application = await bank.tpp.register(["aisp"]);
  const { browser, url, page } = await signInAt(bank, authorizationUrl(bank.topology, application), username);
  return { browser, url, form: formOn(page, leadsTo("consent")) };
}

/** Opens an address as a PSU in a fresh browser, signs in, and returns the page behind the sign-in. */
async function signInAt(bank: FaultBank, start: URL, username: string) {
  const { document } = bank.topology;
  const psu = requirePsu(document, username);
  await bank.forgetUsedCodes();
  const usedSteps = openUsedSteps(usedStepsFile(document.directory));
  const nextCode = () => nextOneTimeCode(psu, usedSteps, () => undefined);
  let cookies = "";
  const browse: FaultBank["browse"] = (url, options) => {
    cookies = new Headers(options.headers).get("cookie") ?? "";
    return bank.browse(url, options);
  };
  const browser = createFormBrowser(browse, ({ origin }) => origin !== start.origin);
  const asked = await browser.open(start);
  const form = formOn(asked, isSignIn);
  const page = await browser.submit(
    new URL(form.action, asked.url),
    await signInFields(form, { ...psu, nextCode }),
  );
  if (hasForm(page, isSignIn)) throw new Error(`${username} could not sign in before the fault`);
  return { browser, url: page.url, page, cookies: () => cookies };
}

async function openWith({ browse }: FaultBank, url: URL, cookie: string): Promise<Visit> {
  const options = { method: "GET", headers: { cookie }, body: undefined, redirect: "manual" } as const;
  const answer = await browse(url.href, options);
  return { kind: "page", url, status: answer.status, html: await answer.text() };
}

function agree({ browser, url, form }: AtForm): Promise<Visit> {
  const fields = untouchedFields(form);
  fields.set("choice", "all");
  return browser.submit(new URL(form.action, url), fields);
}

const formsOn = (visit: Visit) => (visit.kind === "page" ? readHtmlPage(visit.html).forms : []);
const hasForm = (visit: Visit, isIt: (form: HtmlForm) => boolean) => formsOn(visit).some(isIt);

function formOn(visit: Visit, isIt: (form: HtmlForm) => boolean): HtmlForm {
  const form = formsOn(visit).find(isIt);
  if (form === undefined)
    throw new Error(`the page at ${visit.url.pathname} does not have the expected form`);
  return form;
}

function unlessGone(what: string, visit: Visit): readonly string[] {
  if (visit.kind === "page" && visit.status === 404) return [];
  const became = visit.kind === "returned" ? "leads back to the TPP" : `gives ${visit.status}`;
  return [`${what} from before ${became}`];
}

function unlessSignInIsAsked(visit: Visit): readonly string[] {
  return hasForm(visit, isSignIn) ? [] : ["a PSU from before is still signed in"];
}
