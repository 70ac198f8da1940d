import { accountLine } from "./account-groups.ts";
import { type AccountList, listAccounts } from "./account-list.ts";
import { displayText } from "./display-text.ts";
import type { ConsentView } from "./page-view.ts";
import type { PageWords } from "./page-words.ts";
import { presentAsking } from "./present-asking.ts";
import { presentFormer } from "./present-former.ts";
import { fillText } from "./texts/texts.ts";
import { titleOfTab } from "./title-of-tab.ts";

/** What the page of a consent shows besides its frame. */
export function presentConsent(view: ConsentView, words: PageWords) {
  const { texts, language, writeDate, writeHour, writeDays } = words;
  const { phrases } = texts;
  const asked = askedServices(view.scopes);
  const asking = presentAsking(view.asking, words);
  const marks = { ticked: new Set(view.ticked), shared: new Set<string>(view.former?.accounts) };
  const list = listAccounts({ accounts: view.accounts, ...marks }, view.list, language);
  const single = view.accounts.length === 1 ? view.accounts[0] : undefined;
  const lead = single === undefined || asked === "pisp" ? asked : (`${asked}_single` as const);
  const isChosen = asked !== "pisp" && single === undefined;
  const title = phrases[`consent_title_${asked}`];
  return {
    ...view,
    asking,
    former: presentFormer(view, words),
    switchForm: switchFormOf(view, { isChosen, ...list }),
    title,
    titleOfTab: titleOfTab([title], [{ ...list, label: phrases.account_list }], texts),
    lead: fillText(phrases[`consent_lead_${lead}`], { tpp: asking.tppName }),
    psuName: view.psu === undefined ? undefined : displayText(view.psu.displayName),
    information: asked !== "pisp",
    payments: asked !== "aisp",
    singleAccount: single && { ...accountLine(single, language), shared: marks.shared.has(single.id) },
    accountCount: view.accounts.length,
    list,
    // When no account is shown, a fault at the first account moves to the heading.
    faults: view.faults.map((fault) =>
      fault.field === "account" && list.found === 0 ? { ...fault, field: "accounts" } : fault,
    ),
    validity: writeDays(view.validDays),
    untilDate: fillText(phrases.until_date, { date: writeDate(view.validUntil) }),
    decideBy: writeHour(view.decideBy),
  };
}

/**
 * The language switch as buttons of the form, so that the choices and what was wrong are kept; the Enter key does what it does
 * without the switch. Undefined where there is nothing to keep.
 */
function switchFormOf(
  { form: { action }, faults }: Pick<ConsentView, "form" | "faults">,
  { isChosen, isSearchable }: Pick<AccountList, "isSearchable"> & { readonly isChosen: boolean },
) {
  if (!isChosen && faults.length === 0) return undefined;
  const enter = isSearchable
    ? ({ go: "find", action: `${action}#accounts`, say: "find_button" } as const)
    : ({ go: "", action, say: "agree" } as const);
  return { id: "decision", action, enter };
}

function askedServices(scopes: ConsentView["scopes"]): "aisp" | "pisp" | "both" {
  if (!scopes.includes("pisp")) return "aisp";
  return scopes.includes("aisp") ? "both" : "pisp";
}
