import { inOrder, nameAccounts, serviceNames } from "./consent-words.ts";
import type { ConsentView } from "./page-view.ts";
import type { PageWords } from "./page-words.ts";
import { fillText } from "./texts/texts.ts";

/** What the application has already, and what changes with a new consent; undefined when it has no consent. */
export function presentFormer(view: ConsentView, words: PageWords) {
  const { texts, writeDate } = words;
  const { former } = view;
  if (former === undefined) return undefined;
  const { phrases } = texts;
  const [from, to] = [writeDate(former.validUntil), writeDate(view.validUntil)];
  const asksForAccounts = view.scopes.includes("aisp");
  const hasChoice = asksForAccounts && view.accounts.length > 1;
  const known = new Map(view.accounts.map((account) => [account.id, account]));
  const changes = [
    phrases.former_ends,
    ...(from === to ? [] : [fillText(phrases.former_until, { from, to })]),
    ...inOrder(view.scopes)
      .filter((each) => !former.services.includes(each))
      .map((each) => phrases[`former_adds_${each}`]),
    ...inOrder(former.services)
      .filter((each) => !view.scopes.includes(each))
      .map((each) => phrases[`former_drops_${each}`]),
    ...(hasChoice && former.accounts.length > 0 ? [phrases.former_accounts] : []),
    phrases.former_refuse,
  ];
  return {
    since: writeDate(former.givenAt),
    until: from,
    services: serviceNames(former.services, texts),
    // The bank was not asked about accounts when only payments are requested.
    ...nameAccounts(former.accounts, asksForAccounts ? known : undefined, words),
    changes,
  };
}
