import type { FormBrowser, Visit } from "./form-browser.ts";
import { type HtmlField, type HtmlForm, type HtmlPage, readHtmlPage } from "./html-page.ts";
import type { OneTimeCode } from "./one-time-codes.ts";
import { TppRefusal } from "./tpp-refusal.ts";

/** What a PSU does on the bank's pages. */
export interface PsuActs {
  readonly username: string;
  readonly password: string;
  /** Gives another code each time it is asked. */
  readonly nextCode: () => Promise<OneTimeCode>;
  /** Ids of the accounts to tick, or every one. */
  readonly accounts: "all" | readonly string[];
}

// One code may have been used by somebody else, and the next one too; consent is asked once.
const MOST_SIGN_INS = 3;
const MOST_FORMS = MOST_SIGN_INS + 1;

/**
 * Signs in and consents by submitting the bank's real forms, and gives the address that leads back to the TPP.
 * Refuses with `not_authorized`, in the page's own words, when a page does not lead on.
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

/** The fields of a sign-in form, filled in. */
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

/** A PSU with one account is offered no choice; then the form has neither boxes nor radio buttons. */
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

/** What a browser sends of a form in which nothing was typed or ticked. */
export function untouchedFields(form: HtmlForm): URLSearchParams {
  const fields = new URLSearchParams();
  for (const { name, type, value, checked } of form.fields) {
    const counts = type === "radio" ? checked : !["checkbox", "submit", "button"].includes(type);
    if (counts && name !== "") fields.append(name, value);
  }
  return fields;
}

/** The name of the field that is meant. Refuses with `not_authorized` when the form has none. */
export function nameOf(form: HtmlForm, isIt: (field: HtmlField) => boolean): string {
  const field = form.fields.find(isIt);
  if (field === undefined)
    throw new TppRefusal("not_authorized", "a form of the bank does not have the expected fields");
  return field.name;
}

/** The refusal of a page that does not lead on, in its own words. */
export function stuck(visit: Extract<Visit, { kind: "page" }>, page: HtmlPage): TppRefusal {
  const words = page.alerts.length > 0 ? page.alerts.join(" ") : page.title;
  return new TppRefusal(
    "not_authorized",
    `the bank answered ${visit.status} at ${visit.url.pathname}: ${words}`,
  );
}
