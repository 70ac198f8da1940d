/**
 * "My consents": the page on which a PSU sees who has access to their accounts, since when and until when, with the
 * history, and withdraws access. It shows only the signed-in PSU's data; an id of another PSU's consent is unknown.
 */
import type { AccountId, PsuId } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import { PrivateServiceUnavailable, type Route } from "@cobs/service-edge";
import type { PsuAccount, PsuAccounts } from "../../bank/psu-accounts.ts";
import type { CardConsent } from "../../card-consent/card-consent.ts";
import type { CardConsentStore } from "../../card-consent/card-consent-store.ts";
import { parseConsentId } from "../../consent/consent-id.ts";
import type { ConsentStore } from "../../consent/consent-store.ts";
import type { PsuConsent, PsuConsents } from "../../consent/psu-consents.ts";
import { singleField } from "../../forms/form-fields.ts";
import { readPageNumber } from "../../forms/page-number.ts";
import type { PostedForm } from "../../forms/posted-form.ts";
import { consentPath } from "../../pages/consents-view.ts";
import { CONSENTS_PATH } from "../../pages/places.ts";
import type { StopList } from "../../tpp/stop-list.ts";
import type { PageAnswer } from "./answer-page.ts";
import {
  askToWithdrawCard,
  findOwnCardConsent,
  listCardConsents,
  withdrawCard,
} from "./card-consents-page.ts";
import { createSignedInPage, type SignedInPageParts, type SignedInVisit, signOut } from "./signed-in-page.ts";

/** What the page needs. */
export interface ConsentsPageParts extends SignedInPageParts {
  readonly consents: Pick<ConsentStore, "end" | "history">;
  readonly psuConsents: PsuConsents;
  readonly cardConsents: CardConsentStore;
  readonly psuAccounts: PsuAccounts;
  readonly stopList: Pick<StopList, "findBlocked">;
  /** Whether PSUs manage their authenticators here too. */
  readonly hasAuthenticatorPage: boolean;
}

const UNKNOWN: PageAnswer = {
  show: "message",
  view: { message: "consent_unknown", onPath: CONSENTS_PATH },
};

/** Makes the routes of `/consents`. */
export function createConsentsRoutes(parts: ConsentsPageParts): readonly Route[] {
  return createSignedInPage(parts, {
    purpose: { kind: "consents" },
    show: (visit) => show(parts, visit),
    forms: {
      withdraw: (visit, form) => withdraw(parts, visit, form),
      "withdraw-card": (visit, form) => withdrawOwnCard(parts, visit, form),
      "sign-out": (visit) => signOut(parts, visit),
    },
  });
}

async function show(parts: ConsentsPageParts, visit: SignedInVisit): Promise<PageAnswer> {
  const { query } = visit.call;
  for (const [name, showOne] of [
    ["consent", showDetail],
    ["withdraw", askToWithdraw],
  ] as const) {
    const text = query.get(name);
    if (text === null) continue;
    const shown = await findOwn(parts, visit.session.psu, text);
    return shown === undefined ? UNKNOWN : showOne(parts, visit, shown);
  }
  const card = query.get("card");
  return card === null ? showAll(parts, visit) : showCard(parts, visit, card);
}

async function showAll(parts: ConsentsPageParts, visit: SignedInVisit): Promise<PageAnswer> {
  const { psu } = visit.session;
  const [active, over, cards, person, accounts, withdrawnCard] = await Promise.all([
    parts.psuConsents.list(psu, { active: true, page: pageOf(visit, "page") }),
    parts.psuConsents.list(psu, { active: false, page: pageOf(visit, "earlier") }),
    listCardConsents(parts.cardConsents, psu, {
      active: pageOf(visit, "cards"),
      over: pageOf(visit, "earlier-cards"),
    }),
    parts.login.find(psu),
    findAccounts(parts, visit),
    findWithdrawnCard(parts, visit),
  ]);
  const view = {
    origin: visit.ownOrigin,
    psu: person,
    active,
    over,
    cards,
    withdrawnCard,
    hasAuthenticatorPage: parts.hasAuthenticatorPage,
    accounts,
    blocked: await findBlocked(parts, [...active.consents.map(({ tpp }) => tpp), ...cards.active.consents]),
    signOut: visit.target("sign-out"),
  };
  return { show: "page", name: "consents", render: (pages, frame) => pages.consents(frame, view) };
}

async function showDetail(
  parts: ConsentsPageParts,
  visit: SignedInVisit,
  shown: PsuConsent,
): Promise<PageAnswer> {
  const { done, session } = visit;
  const { psu } = session;
  const [history, others, blocked, accounts] = await Promise.all([
    parts.consents.history(shown.consent.applicationId, psu),
    parts.psuConsents.findOthers(shown.consent),
    findBlocked(parts, [shown.tpp]),
    findAccounts(parts, visit),
  ]);
  const shownPages = { accounts: pageOf(visit, "accounts"), history: pageOf(visit, "history") };
  const isWithdrawnNow =
    done?.act === "consent_withdrawn" && done.id === shown.consent.id && isWithdrawn(shown);
  const view = {
    origin: visit.ownOrigin,
    shown,
    isWithdrawnNow,
    others,
    history,
    accounts,
    blocked,
    pages: shownPages,
  };
  return { show: "page", name: "consent-detail", render: (pages, frame) => pages.consentDetail(frame, view) };
}

/** Whether the PSU withdrew the consent. It may have been replaced before, in another tab: then access continues. */
function isWithdrawn({ consent }: PsuConsent): boolean {
  return consent.state === "revoked" && consent.reason === "withdrawn";
}

/** Shows the question before a withdrawal; redirects to the consent if it has ended. */
async function askToWithdraw(
  parts: ConsentsPageParts,
  visit: SignedInVisit,
  shown: PsuConsent,
): Promise<PageAnswer> {
  if (shown.consent.state !== "active") {
    return { show: "nothing", location: consentPath(shown.consent.id) };
  }
  const [others, blocked, accounts] = await Promise.all([
    parts.psuConsents.findOthers(shown.consent),
    findBlocked(parts, [shown.tpp]),
    findAccounts(parts, visit),
  ]);
  const view = { origin: visit.ownOrigin, shown, others, blocked, accounts, form: visit.target("withdraw") };
  return { show: "page", name: "withdrawal", render: (pages, frame) => pages.withdrawal(frame, view) };
}

async function showCard(parts: ConsentsPageParts, visit: SignedInVisit, text: string): Promise<PageAnswer> {
  const { psu } = visit.session;
  const consent = await findOwnCardConsent(parts.cardConsents, psu, text);
  if (consent === undefined) return UNKNOWN;
  const [blocked, accounts] = await Promise.all([findBlocked(parts, [consent]), findAccounts(parts, visit)]);
  return askToWithdrawCard(visit, consent, { blocked, accounts });
}

async function findWithdrawnCard(
  { cardConsents }: ConsentsPageParts,
  { done, session: { psu } }: SignedInVisit,
): Promise<CardConsent | undefined> {
  return done?.act === "card_consent_withdrawn" ? findOwnCardConsent(cardConsents, psu, done.id) : undefined;
}

async function withdrawOwnCard(
  { cardConsents }: ConsentsPageParts,
  visit: SignedInVisit,
  { fields }: PostedForm,
): Promise<PageAnswer> {
  const text = singleField(fields, "consent");
  const consent = await findOwnCardConsent(cardConsents, visit.session.psu, text);
  return consent === undefined ? UNKNOWN : withdrawCard(cardConsents, visit, consent);
}

/** Ends the consent, once however often the form is sent; its page then says what became of it. */
async function withdraw(
  parts: ConsentsPageParts,
  { call, session: { psu }, noteDone }: SignedInVisit,
  { fields }: PostedForm,
): Promise<PageAnswer> {
  const shown = await findOwn(parts, psu, singleField(fields, "consent"));
  if (shown === undefined) return UNKNOWN;
  const { id } = shown.consent;
  const act = { actor: { kind: "psu", psu }, requestId: call.requestId } as const;
  await parts.consents.end(id, { by: "psu", reason: "withdrawn", act });
  const cookies = [noteDone({ act: "consent_withdrawn", id })];
  return { show: "nothing", location: consentPath(id), cookies };
}

async function findOwn(
  { psuConsents }: ConsentsPageParts,
  psu: PsuId,
  text: string,
): Promise<PsuConsent | undefined> {
  const id = parseConsentId(text);
  return id === undefined ? undefined : psuConsents.find(psu, id);
}

/** Finds the PSU's accounts; undefined while the bank does not answer: the page and the withdrawal work without them. */
async function findAccounts(
  { psuAccounts }: ConsentsPageParts,
  { session, call }: SignedInVisit,
): Promise<ReadonlyMap<AccountId, PsuAccount> | undefined> {
  try {
    return new Map((await psuAccounts.accountsOf(session.psu, call)).map((account) => [account.id, account]));
  } catch (error) {
    if (error instanceof PrivateServiceUnavailable) return undefined;
    throw error;
  }
}

/** Finds which of these TPPs are blocked, all at once. */
async function findBlocked(
  { stopList }: ConsentsPageParts,
  parties: readonly { readonly organisationIdentifier: OrganisationIdentifier }[],
): Promise<ReadonlySet<OrganisationIdentifier>> {
  const asked = [...new Set(parties.map(({ organisationIdentifier }) => organisationIdentifier))];
  const found = await Promise.all(
    asked.map((organisationIdentifier) =>
      stopList.findBlocked({ organisationIdentifier, thumbprint: undefined }),
    ),
  );
  return new Set(asked.filter((_, index) => found[index] !== undefined));
}

function pageOf({ call }: SignedInVisit, name: string): number {
  return readPageNumber(call.query.get(name) ?? "");
}
