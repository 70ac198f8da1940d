import { nameOf, type PsuActs, signInFields, stuck, untouchedFields } from "./consent-as-psu.ts";
import type { FormBrowser, Visit } from "./form-browser.ts";
import { type HtmlForm, readHtmlPage } from "./html-page.ts";

/** Acts of a PSU who approves a payment. */
export interface ApprovingActs extends Pick<PsuActs, "username" | "password" | "nextCode"> {
  /** The newest message from the bank to the PSU that has a code. */
  readonly readMessage: () => Promise<string>;
}

// The current code of the authenticator app and the next one may already be used; the order is approved once.
const MOST_FORMS = 4;
/** The code in a message: two groups of four digits, and no third group, because account numbers have more. */
export const CODE = /(?<!\d ?)\d{4} \d{4}(?! ?\d)/;

/**
 * Signs in and approves an order by submitting the bank's real forms. Refuses with `not_authorized`, in the page's own words,
 * when a page does not lead on.
 */
export async function approveAsPsu(browser: FormBrowser, start: URL, psu: ApprovingActs): Promise<void> {
  let visit = await browser.open(start);
  for (let forms = 1; visit.kind === "page"; forms += 1) {
    const page = readHtmlPage(visit.html);
    const signIn = page.forms.find((form) => form.fields.some(({ type }) => type === "password"));
    const approve = page.forms.find(({ action }) => action.endsWith("/approve"));
    const form = signIn ?? approve;
    const isWrong = form === approve && page.alerts.length > 0;
    if (form === undefined || isWrong || forms > MOST_FORMS) throw stuck(visit, page);
    const fields = form === signIn ? await signInFields(form, psu) : await approvalFields(form, psu);
    visit = await browser.submit(new URL(form.action, visit.url), fields);
    if (form === approve && isApproved(visit)) return;
  }
}

async function approvalFields(form: HtmlForm, psu: ApprovingActs): Promise<URLSearchParams> {
  const fields = untouchedFields(form);
  const code = CODE.exec(await psu.readMessage())?.[0] ?? "";
  fields.set(
    nameOf(form, ({ autocomplete }) => autocomplete.includes("one-time-code")),
    code,
  );
  return fields;
}

/** Whether approval is over: the page has no form left, and no alert. */
function isApproved(visit: Visit): boolean {
  if (visit.kind === "returned") return true;
  const { forms, alerts } = readHtmlPage(visit.html);
  return visit.status === 200 && forms.length === 0 && alerts.length === 0;
}
