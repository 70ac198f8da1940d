import { nameOf, type PsuActs, signInFields, stuck, untouchedFields } from "./consent-as-psu.ts";
import type { FormBrowser, Visit } from "./form-browser.ts";
import { type HtmlForm, readHtmlPage } from "./html-page.ts";

/** What a PSU does to approve a payment. */
export interface ApprovingActs extends Pick<PsuActs, "username" | "password" | "nextCode"> {
  /** The newest message with a code that the bank has sent to the PSU. */
  readonly readMessage: () => Promise<string>;
}

// One code of the authenticator app may have been used by somebody else, and the next one too; the order is approved once.
const MOST_FORMS = 4;
/** The code in a message: two groups of four digits and no third, for accounts have more. */
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

/** Whether the page is over: it has no form any more, and nothing to complain about. */
function isApproved(visit: Visit): boolean {
  if (visit.kind === "returned") return true;
  const { forms, alerts } = readHtmlPage(visit.html);
  return visit.status === 200 && forms.length === 0 && alerts.length === 0;
}
