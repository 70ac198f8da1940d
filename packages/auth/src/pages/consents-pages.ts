import type { Consent } from "../consent/consent.ts";
import type { PsuConsent, PsuConsentPage } from "../consent/psu-consents.ts";
import { presentCardConsents, presentWithdrawnCard } from "./card-consents-pages.ts";
import { inOrder, nameAccounts, presentAccount, serviceNames } from "./consent-words.ts";
import {
  type ConsentDetailView,
  type ConsentsView,
  consentPath,
  type WithdrawalView,
} from "./consents-view.ts";
import { displayText } from "./display-text.ts";
import type { PageWords } from "./page-words.ts";
import { CONSENTS_PATH } from "./places.ts";
import { presentApplication, presentTpp } from "./present-asking.ts";
import { fillText } from "./texts/texts.ts";
import { titleOfTab } from "./title-of-tab.ts";

const PAGE_ACCOUNTS = 50;
const PAGE_HISTORY = 20;

/** What the list of all consents shows besides its frame. */
export function presentConsents(
  { psu, active, over, cards, withdrawnCard, accounts, blocked, ...view }: ConsentsView,
  words: PageWords,
) {
  const known = { accounts, blocked };
  // Ended consents list no accounts.
  const listed = [
    ...active.consents.filter(({ consent }) => consent.accounts.length > 0),
    ...cards.active.consents,
  ];
  const shown = {
    page: active.page,
    earlier: over.page,
    cards: cards.active.page,
    earlierCards: cards.over.page,
  };
  const { phrases } = words.texts;
  const pathTo = (part: Partial<ListPages>) => `${CONSENTS_PATH}?${listQuery({ ...shown, ...part })}`;
  return {
    ...view,
    title: phrases.consents_title,
    titleOfTab: titleOfTab(
      [phrases.consents_title],
      [
        { ...active, label: phrases.consents_active },
        { ...over, label: phrases.consents_over },
        { ...cards.active, label: phrases.card_consents },
        { ...cards.over, label: phrases.card_consents_over },
      ],
      words.texts,
    ),
    done: withdrawnCard && presentWithdrawnCard(withdrawnCard, words),
    psuName: psu && displayText(psu.displayName),
    namesMissing: accounts === undefined && listed.length > 0,
    active: active.consents.map((each) => presentShort(each, known, words)),
    over: over.consents.map((each) => presentShort(each, known, words)),
    cards: presentCardConsents(cards, known, words),
    activePager: presentPager(active, (page) => pathTo({ page })),
    overPager: presentPager(over, (page) => pathTo({ earlier: page })),
    activeCardsPager: presentPager(cards.active, (page) => pathTo({ cards: page })),
    overCardsPager: presentPager(cards.over, (page) => pathTo({ earlierCards: page })),
    hasConsentsLink: false,
    switchQuery: `&${listQuery(shown)}`,
  };
}

/** What the page of one consent shows besides its frame. */
export function presentConsentDetail(
  { shown, isWithdrawnNow, others, history, accounts, blocked, pages, ...view }: ConsentDetailView,
  words: PageWords,
) {
  const { consent, tpp } = shown;
  const lines = cutPage(consent.accounts, pages.accounts, PAGE_ACCOUNTS);
  const versions = cutPage(history, pages.history, PAGE_HISTORY);
  const parts = (part: Partial<ConsentDetailView["pages"]>) => {
    const { accounts: accountPage, history: historyPage } = { ...pages, ...part };
    return `&accounts=${accountPage}&history=${historyPage}`;
  };
  const path = (part: Partial<ConsentDetailView["pages"]>) => `${consentPath(consent.id)}${parts(part)}`;
  const replaced = history.find(({ state, id }) => state === "active" && id !== consent.id);
  const short = presentShort(shown, { accounts, blocked }, words);
  const title = titleOf(shown, words);
  const { phrases } = words.texts;
  return {
    ...view,
    ...short,
    title,
    titleOfTab: titleOfTab(
      [
        title,
        short.isActive ? undefined : short.tppName,
        short.applicationName && `${phrases.quote_open}${short.applicationName}${phrases.quote_close}`,
      ],
      [
        ...(accounts === undefined ? [] : [{ ...lines, label: phrases.consent_accounts }]),
        { ...versions, label: phrases.history },
      ],
      words.texts,
    ),
    done: isWithdrawnNow
      ? fillText(phrases.done_consent_withdrawn, { tpp: presentTpp(tpp, words.texts).tppName })
      : undefined,
    namesMissing: accounts === undefined && consent.accounts.length > 0,
    lines: accounts === undefined ? [] : lines.items.map((id) => presentAccount(id, accounts, words)),
    accountPager: accounts && presentPager(lines, (page) => path({ accounts: page })),
    history: versions.items.flatMap((version) =>
      presentVersion(version, isReplacement(version, history), words),
    ),
    historyPager: presentPager(versions, (page) => path({ history: page })),
    others: consent.state === "active" ? [] : others.map((each) => presentOther(each, words)),
    newerPath: consent.state === "active" || replaced === undefined ? undefined : consentPath(replaced.id),
    backPath: CONSENTS_PATH,
    hasConsentsLink: false,
    switchQuery: `&consent=${consent.id}${parts({})}`,
  };
}

/** What the question before a withdrawal shows besides its frame. */
export function presentWithdrawal(
  { shown, others, accounts, blocked, ...view }: WithdrawalView,
  words: PageWords,
) {
  const short = presentShort(shown, { accounts, blocked }, words);
  return {
    ...view,
    ...short,
    title: withdrawalTitle(short, words),
    others: others.map((each) => presentOther(each, words)),
    namesMissing: accounts === undefined && shown.consent.accounts.length > 0,
    consequences: [
      ...inOrder(shown.consent.services).map((service) => words.texts.phrases[`withdraw_${service}`]),
      words.texts.phrases.withdraw_again,
    ],
    hasConsentsLink: false,
    switchQuery: `&withdraw=${shown.consent.id}`,
  };
}

/** A consent in a few lines. */
function presentShort(
  { consent, tpp, application }: PsuConsent,
  { accounts, blocked }: Pick<ConsentsView, "accounts" | "blocked">,
  words: PageWords,
) {
  const { texts, language, writeMoment, writeDate } = words;
  return {
    ...presentTpp(tpp, texts),
    id: consent.id,
    isActive: consent.state === "active",
    isBlocked: consent.state === "active" && blocked.has(tpp.organisationIdentifier),
    applicationName: application && presentApplication(application, language),
    services: serviceNames(consent.services, texts),
    ...nameAccounts(consent.accounts, accounts, words),
    since: writeMoment(consent.givenAt),
    used: consent.lastUsedAt && writeMoment(consent.lastUsedAt),
    until: writeDate(consent.validUntil),
    ended: presentEnd(consent, words),
    path: consentPath(consent.id),
    withdrawPath: consentPath(consent.id, "withdraw"),
  };
}

/** A consent by the name of its application, with its path. */
function presentOther({ consent, application }: PsuConsent, { language }: PageWords) {
  return {
    applicationName: application && presentApplication(application, language),
    path: consentPath(consent.id),
  };
}

/** Names the application that loses its access: the company may have another one, which keeps its access. */
function withdrawalTitle(
  { tppName: tpp, applicationName: application }: ReturnType<typeof presentShort>,
  { texts: { phrases } }: PageWords,
): string {
  return application === undefined
    ? fillText(phrases.withdraw_title_company, { tpp })
    : fillText(phrases.withdraw_title, { tpp, application });
}

/** When and why a consent ended; undefined for one that has not. */
function presentEnd(consent: Consent, { texts: { phrases }, writeMoment }: PageWords) {
  switch (consent.state) {
    case "active":
      return undefined;
    case "expired":
      return { time: writeMoment(consent.validUntil), why: phrases.ended_expired };
    case "revoked":
      return { time: writeMoment(consent.endedAt), why: phrases[`ended_${consent.reason}`] };
  }
}

/** What happened to one version, newest first. */
function presentVersion(consent: Consent, replaces: boolean, words: PageWords) {
  const { phrases } = words.texts;
  const end = presentEnd(consent, words);
  const what = serviceNames(consent.services, words.texts);
  const count = fillText(phrases.consent_accounts_count, { count: consent.accounts.length });
  const given = {
    time: words.writeMoment(consent.givenAt),
    text: replaces ? phrases.history_replaced : phrases.history_given,
    details: consent.accounts.length === 0 ? what : [...what, count],
  };
  return end === undefined ? [given] : [{ time: end.time, text: end.why, details: [] }, given];
}

/** Whether the former version was in force until this one replaced it. */
function isReplacement({ version }: Consent, history: readonly Consent[]): boolean {
  const before = history.find((each) => each.version === version - 1);
  return before?.state === "revoked" && before.reason === "superseded";
}

function titleOf({ consent, tpp }: PsuConsent, { texts }: PageWords): string {
  const { phrases } = texts;
  if (consent.state === "active")
    return fillText(phrases.consent_of, { tpp: presentTpp(tpp, texts).tppName });
  const isWithdrawn = consent.state === "revoked" && consent.reason === "withdrawn";
  return isWithdrawn ? phrases.consent_withdrawn : phrases.consent_over;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly page: number;
  readonly pages: number;
}

function cutPage<Item>(all: readonly Item[], wanted: number, size: number): Page<Item> {
  const pages = Math.max(1, Math.ceil(all.length / size));
  const page = Math.min(wanted, pages);
  return { items: all.slice((page - 1) * size, page * size), page, pages };
}

/** The paths of the previous and next pages; undefined when there is only one page. */
function presentPager(
  { page, pages }: Pick<PsuConsentPage, "page" | "pages">,
  pathOf: (page: number) => string,
) {
  if (pages === 1) return undefined;
  const before = page === 1 ? undefined : pathOf(page - 1);
  return { page, pages, before, after: page === pages ? undefined : pathOf(page + 1) };
}

/** The page of each list that is shown. */
type ListPages = Readonly<Record<"page" | "earlier" | "cards" | "earlierCards", number>>;

function listQuery({ page, earlier, cards, earlierCards }: ListPages): string {
  return `page=${page}&earlier=${earlier}&cards=${cards}&earlier-cards=${earlierCards}`;
}
