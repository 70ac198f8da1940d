import { parseAccountId, parseApplicationId, parsePsuId, type Scope } from "@cobs/cobs-model";
import {
  type CardConsent,
  parseCardConsentId,
} from "../../../packages/auth/src/card-consent/card-consent.ts";
import type { Consent, ConsentTerms } from "../../../packages/auth/src/consent/consent.ts";
import { parseConsentId } from "../../../packages/auth/src/consent/consent-id.ts";
import type { PsuConsent } from "../../../packages/auth/src/consent/psu-consents.ts";
import { WHOLE_LIST } from "../../../packages/auth/src/pages/account-list.ts";
import type { CardWithdrawalView } from "../../../packages/auth/src/pages/card-consents-view.ts";
import type {
  ConsentDetailView,
  ConsentsView,
  WithdrawalView,
} from "../../../packages/auth/src/pages/consents-view.ts";
import type { ConsentView, PageFrame } from "../../../packages/auth/src/pages/page-view.ts";
import type { Pages } from "../../../packages/auth/src/pages/pages.ts";
import { PATH, sampleAccounts, sampleAsking } from "./sample-asking.ts";

const DAY = 24 * 60 * 60 * 1000;
const GIVEN = new Date("2026-07-31T12:05:00Z");
const ORIGIN = "https://login.bank.example";

function requireConsentId(number: number) {
  const id = parseConsentId(`consent-${String(number).padStart(14, "0")}`);
  if (id === undefined) throw new TypeError("no consent id");
  return id;
}

/** Terms of a consent to a number of the sample accounts. */
function terms(version: number, accountCount: number, changed: Partial<ConsentTerms> = {}): ConsentTerms {
  return {
    id: requireConsentId(version),
    version,
    organisationIdentifier: sampleAsking.tpp.organisationIdentifier,
    applicationId: parseApplicationId("application-1"),
    psu: parsePsuId("psu-1"),
    services: ["aisp"],
    accounts: sampleAccounts(accountCount).map(({ id }) => id),
    givenAt: new Date(GIVEN.getTime() - (20 - version) * DAY),
    authenticatedAt: GIVEN,
    validUntil: new Date(GIVEN.getTime() + 180 * DAY),
    ...changed,
  };
}

/** A consent with the company and application of the sample pages. */
export function samplePsuConsent(consent: Consent, lastUsedAt?: Date): PsuConsent {
  return {
    consent: { ...consent, lastUsedAt },
    tpp: sampleAsking.tpp,
    application: sampleAsking.application,
  };
}

function cardConsent(number: number): CardConsent {
  const id = parseCardConsentId(`card-${String(number).padStart(17, "0")}`);
  if (id === undefined) throw new TypeError("no id of a consent");
  const [account] = sampleAccounts(1);
  if (account === undefined) throw new TypeError("no account");
  return {
    id,
    psu: parsePsuId("psu-1"),
    organisationIdentifier: sampleAsking.tpp.organisationIdentifier,
    organisationName: "Karty & úvěry, a.s.",
    account: account.id,
    iban: account.iban,
    givenAt: GIVEN,
    state: "active",
  };
}

/** A consent to a company that the bank knows only by its identifier, for a closed account. */
const nameless: CardConsent = {
  ...cardConsent(2),
  organisationName: undefined,
  account: parseAccountId("account-that-was-closed-1234"),
};
const endedCard: CardConsent = {
  ...cardConsent(3),
  state: "ended",
  endedAt: new Date(GIVEN.getTime() + DAY),
  endedBy: "psu",
  reason: "withdrawn",
};

const active: Consent = { ...terms(7, 4), services: ["aisp", "pisp"], state: "active" };
const revoked = (version: number, reason: "superseded" | "withdrawn" | "code_reused"): Consent => ({
  ...terms(version, 2),
  state: "revoked",
  endedAt: new Date(GIVEN.getTime() - (19 - version) * DAY),
  endedBy: "psu",
  reason,
});
const expired: Consent = { ...terms(2, 1, { validUntil: GIVEN }), state: "expired" };
const used = new Date("2026-07-31T12:41:00Z");

/** The company of all sample consents, as blocked. */
export const sampleBlocked = new Set([sampleAsking.tpp.organisationIdentifier]);

/** A consent through another application of the same company. */
export const sampleOther: PsuConsent = {
  ...samplePsuConsent({ ...terms(10, 1), state: "active" }),
  application: { clientName: "Firemní finance", localizedNames: [] },
};

/** The consent page for some scopes and a number of accounts. */
export function sampleConsent(scopes: readonly Scope[], accountCount: number): ConsentView {
  return {
    asking: sampleAsking,
    psu: { id: parsePsuId("psu-1"), displayName: "Jana Nováková" },
    scopes,
    former: undefined,
    accounts: sampleAccounts(accountCount),
    validUntil: new Date("2027-01-27T13:05:00Z"),
    validDays: 180,
    decideBy: new Date("2026-07-31T12:10:00Z"),
    form: { action: `${PATH}/consent`, token: "t".repeat(43), shown: "s".repeat(43) },
    cancel: { action: `${PATH}/cancel`, token: "c".repeat(43) },
    choice: undefined,
    ticked: [],
    list: WHOLE_LIST,
    faults: [],
  };
}

/** All consents of a PSU. */
export function sampleConsents(accounts: ConsentsView["accounts"] = accountsOf(4)): ConsentsView {
  const closed = { ...terms(8, 0), accounts: [parseAccountId("account-that-was-closed-1234")] };
  const over = [revoked(6, "superseded"), revoked(5, "withdrawn"), revoked(4, "code_reused"), expired];
  return {
    origin: ORIGIN,
    accounts,
    blocked: new Set(),
    psu: { id: parsePsuId("psu-1"), displayName: "Jana Nováková" },
    active: {
      consents: [
        samplePsuConsent(active, used),
        samplePsuConsent({ ...closed, state: "active" }),
        samplePsuConsent({ ...terms(9, 0), services: ["pisp"], state: "active" }, used),
      ],
      page: 1,
      pages: 2,
    },
    over: {
      consents: over.map((consent) => ({ ...samplePsuConsent(consent), application: undefined })),
      page: 2,
      pages: 3,
    },
    cards: {
      active: { consents: [cardConsent(1), nameless], page: 2, pages: 2 },
      over: { consents: [endedCard], page: 1, pages: 2 },
    },
    withdrawnCard: undefined,
    hasAuthenticatorPage: true,
    signOut: { action: "/consents/sign-out", token: "s".repeat(43) },
  };
}

/** One consent with its history. */
export function sampleDetail(changed: Partial<ConsentDetailView> = {}): ConsentDetailView {
  return {
    origin: ORIGIN,
    accounts: accountsOf(4),
    blocked: new Set(),
    shown: samplePsuConsent(active, used),
    isWithdrawnNow: false,
    others: [],
    history: [active, revoked(6, "superseded"), revoked(5, "withdrawn"), expired],
    pages: { accounts: 1, history: 1 },
    ...changed,
  };
}

/** The confirmation page before a consent is withdrawn. */
export function sampleWithdrawal(changed: Partial<WithdrawalView> = {}): WithdrawalView {
  return {
    origin: ORIGIN,
    accounts: accountsOf(4),
    blocked: new Set(),
    shown: samplePsuConsent(active, used),
    others: [sampleOther],
    form: { action: "/consents/withdraw", token: "w".repeat(43) },
    ...changed,
  };
}

const cardWithdrawal: CardWithdrawalView = {
  origin: ORIGIN,
  accounts: accountsOf(4),
  blocked: new Set(),
  consent: cardConsent(1),
  form: { action: "/consents/withdraw-card", token: "w".repeat(43) },
};

function accountsOf(count: number) {
  return new Map(sampleAccounts(count).map((account) => [account.id, account]));
}

/** Pages about given consents, and the consent page with an earlier consent or many accounts. */
export function sampleConsentsPages(pages: Pages, frame: PageFrame): readonly (readonly [string, string])[] {
  const many = { ...terms(7, 1_000), state: "active" } as const;
  const former = { ...terms(3, 2), services: ["pisp", "aisp"] } as const;
  const asked = { ...sampleConsent(["aisp"], 4), former };
  const thousand = sampleConsent(["aisp", "pisp"], 1_000);
  const ticked = thousand.accounts.slice(100, 900).map(({ id }) => id);
  const none = { consents: [], page: 1, pages: 1 };
  const noCards = { active: none, over: none };
  const find = (query: string) => ({ query, onlyTicked: false, page: 1 });
  const some = { choice: "some", ticked } as const;
  const missing = [{ key: "fault_account_missing", field: "account" }] as const;
  const unchosen = [{ key: "fault_choice_missing", field: "choice" }] as const;
  return [
    ["consents", pages.consents(frame, sampleConsents())],
    [
      "consents-none",
      pages.consents(frame, { ...sampleConsents(), active: none, over: none, cards: noCards }),
    ],
    [
      "consents-cards",
      pages.consents(frame, { ...sampleConsents(), active: none, over: none, withdrawnCard: endedCard }),
    ],
    ["consents-without-names", pages.consents(frame, { ...sampleConsents(), accounts: undefined })],
    ["consents-blocked", pages.consents(frame, { ...sampleConsents(), blocked: sampleBlocked })],
    ["consent-detail-without-names", pages.consentDetail(frame, sampleDetail({ accounts: undefined }))],
    ["consent-detail", pages.consentDetail(frame, sampleDetail())],
    [
      "consent-detail-over",
      pages.consentDetail(
        frame,
        sampleDetail({
          shown: samplePsuConsent(revoked(5, "withdrawn"), used),
          isWithdrawnNow: true,
          others: [sampleOther],
        }),
      ),
    ],
    [
      "consent-detail-many",
      pages.consentDetail(
        frame,
        sampleDetail({
          shown: samplePsuConsent(many),
          accounts: accountsOf(1_000),
          history: Array.from({ length: 60 }, () => revoked(6, "superseded")),
          pages: { accounts: 2, history: 2 },
        }),
      ),
    ],
    ["withdrawal", pages.withdrawal(frame, sampleWithdrawal())],
    ["card-withdrawal", pages.cardWithdrawal(frame, cardWithdrawal)],
    ["consent-former", pages.consent(frame, asked)],
    ["consent-former-payments", pages.consent(frame, { ...sampleConsent(["pisp"], 0), former })],
    ["consent-choice-missing", pages.consent(frame, { ...sampleConsent(["aisp"], 3), faults: unchosen })],
    [
      "consent-account-missing",
      pages.consent(frame, { ...sampleConsent(["aisp"], 3), choice: "some", faults: missing }),
    ],
    ["consent-thousand", pages.consent(frame, { ...thousand, ...some, list: { ...find(""), page: 3 } })],
    ["consent-found", pages.consent(frame, { ...thousand, ...some, list: find("27 eur") })],
    [
      "consent-found-none",
      pages.consent(frame, { ...thousand, choice: "some", list: find("gold"), faults: missing }),
    ],
  ];
}
