import type { Scope } from "@cobs/cobs-model";
import type { ConsentView } from "./page-view.ts";
import type { WriteTime } from "./signing-pages.ts";
import { fillText, type Texts } from "./texts/texts.ts";

/** How the pages write in one language. */
interface Words {
  readonly texts: Texts;
  readonly writeDate: WriteTime;
}

/** What the application has already, and what changes with a new consent; undefined when it has nothing. */
export function presentFormer(view: ConsentView, { texts, writeDate }: Words) {
  const { former } = view;
  if (former === undefined) return undefined;
  const { phrases } = texts;
  const [from, to] = [writeDate(former.validUntil), writeDate(view.validUntil)];
  const asksForAccounts = view.scopes.includes("aisp");
  const changes = [
    phrases.former_ends,
    ...(from === to ? [] : [fillText(phrases.former_until, { from, to })]),
    ...view.scopes
      .filter((each) => !former.services.includes(each))
      .map((each) => phrases[`former_adds_${each}`]),
    ...former.services
      .filter((each) => !view.scopes.includes(each))
      .map((each) => phrases[`former_drops_${each}`]),
    ...(asksForAccounts && former.accounts.length > 0 ? [phrases.former_accounts] : []),
    phrases.former_refuse,
  ];
  return {
    since: writeDate(former.givenAt),
    until: from,
    services: former.services.map((service: Scope) => phrases[`consent_${service}`]),
    accountCount: former.accounts.length,
    changes,
  };
}
