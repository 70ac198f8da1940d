import type { FormBrowser, Visit } from "./form-browser.ts";
import { type HtmlField, type HtmlForm, type HtmlPage, readHtmlPage } from "./html-page.ts";
import type { OneTimeCode } from "./one-time-codes.ts";
import { TppRefusal } from "./tpp-refusal.ts";

/** Acts of a PSU on the bank's pages. */
export interface PsuActs {
  readonly username: string;
  readonly password: string;
  /** Gives a new code each time. */
  readonly nextCode: () => Promise<OneTimeCode>;
  /** Ids of the accounts to tick, or all. */
  readonly accounts: "all" | readonly string[];
}

// The current code and the next one may already be used; consent is asked for once.
const MOST_SIGN_INS = 3;
const MOST_FORMS = MOST_SIGN_INS + 1;

/**
 * Signs in and consents by submitting the bank's real forms; gives the URL that leads back to the TPP. Refuses with
 * `not_authorized`, in the page's own words, if a page does not lead on.
 */
export async function consentAsPsu(browser: FormBrowser, start: URL, psu: PsuActs): Promise<URL> {
  let visit = await browser.open(start);
  for (let forms = 1; visit.kind === "page"; forms += 1) {
    const page = readHtmlPage(visit.html);
    const signIn = page.forms.find((form) => form.fields.some(({ type }) => type === "password"));
    const consent = page.forms.find(({ action }) => action.endsWith("/consent"));
    const form = signIn ?? consent;
    const tooMany = forms > (form === signIn ? MOST_SIGN_INS : MOST_FORMS);
    if (form === undefined || tooMany) throw stuck(visit, page);
    const fields = form === signIn ? await signInFields(form, psu) : consentFields(form, psu.accounts);
    visit = await browser.submit(new URL(form.action, visit.url), fields);
  }
  return visit.url;
}

/** Fills in the fields of a sign-in form. */
export async function signInFields(
  form: HtmlForm,
  psu: Pick<PsuActs, "username" | "password" | "nextCode">,
): Promise<URLSearchParams> {
  const fields = untouchedFields(form);
  fields.set(
    nameOf(form, ({ autocomplete }) => autocomplete.includes("username")),
    psu.username,
  );
  fields.set(
    nameOf(form, ({ type }) => type === "password"),
    psu.password,
  );
  const { code } = await psu.nextCode();
  fields.set(
    nameOf(form, ({ autocomplete }) => autocomplete.includes("one-time-code")),
    code,
  );
  return fields;
}

/** Fills in a consent form. A PSU with one account has no choice, so the form has neither boxes nor radio buttons. */
function consentFields(form: HtmlForm, accounts: PsuActs["accounts"]): URLSearchParams {
  const fields = untouchedFields(form);
  const boxes = form.fields.filter(({ type }) => type === "checkbox");
  if (boxes.length === 0) return fields;
  fields.set(
    nameOf(form, ({ type }) => type === "radio"),
    accounts === "all" ? "all" : "some",
  );
  for (const box of boxes)
    if (accounts !== "all" && accounts.includes(box.value)) fields.append(box.name, box.value);
  return fields;
}

/** What a browser sends of an untouched form. */
export function untouchedFields(form: HtmlForm): URLSearchParams {
  const fields = new URLSearchParams();
  for (const { name, type, value, checked } of form.fields) {
    const counts = type === "radio" ? checked : !["checkbox", "submit", "button"].includes(type);
    if (counts && name !== "") fields.append(name, value);
  }
  return fields;
}

/** The name of the field that matches. Refuses with `not_authorized` if the form has none. */
export function nameOf(form: HtmlForm, isIt: (field: HtmlField) => boolean): string {
  const field = form.fields.find(isIt);
  if (field === undefined)
    throw new TppRefusal("not_authorized", "a form of the bank does not have the expected fields");
  return field.name;
}

/** The refusal, in the page's own words, when it does not lead on; the page may say what a developer is to change. */
export function stuck(visit: Extract<Visit, { kind: "page" }>, page: HtmlPage): TppRefusal {
  const words = page.alerts.length > 0 ? page.alerts.join(" ") : page.title;
  return new TppRefusal(
    "not_authorized",
    `the bank answered ${visit.status} at ${visit.url.pathname}: ${words}`,
    page.references.length > 0 ? page.references.join("\n") : undefined,
  );
}
