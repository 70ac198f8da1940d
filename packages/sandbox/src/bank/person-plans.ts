import type { AccountPlan, CurrencyPlan, Habit, PsuPlan } from "./account-plan.ts";
import { monthly, often, rarely } from "./habit-beginnings.ts";
import { PARTIES } from "./parties.ts";

const CURRENT = { cs: "Osobní konto", en: "Personal account" };
const IN_FOREIGN_CURRENCY = { cs: "Účet v cizí měně", en: "Foreign currency account" };
const SOLE_TRADER = { cs: "Podnikatelské konto", en: "Sole trader account" };

/** Usual habits of a personal account in CZK. */
const EVERYDAY: readonly Habit[] = [
  { ...often("card", 16), amount: [60, 1400], step: 10, parties: PARTIES.groceries },
  { ...often("card", 8), amount: [75, 650], step: 100, parties: PARTIES.eatingOut },
  { ...often("card", 5), amount: [150, 2600], step: 100, parties: PARTIES.shopping },
  { ...often("card", 6), amount: [30, 1300], step: 100, parties: PARTIES.travel },
  { ...often("atm", 2), amount: [500, 3000], step: 50_000, parties: PARTIES.atms },
  { ...often("outgoing", 2), amount: [100, 1500], step: 1000, parties: PARTIES.friends },
  { ...often("incoming", 1), amount: [100, 900], step: 1000, parties: PARTIES.friends },
  { ...monthly("interest", 28), amount: [1, 9], step: 1 },
  { ...often("instantOutgoing", 1.5), amount: [50, 900], step: 1000, parties: PARTIES.friends },
  { ...often("instantIncoming", 1), amount: [50, 700], step: 1000, parties: PARTIES.friends },
  { ...often("card", 0.4), amount: [120, 1900], parties: PARTIES.inEuros, ordered: "EUR" },
];

/** Habits of a PSU who travels; the rare ones come soon after the salary, while it lasts. */
const ABROAD: readonly Habit[] = [
  { ...often("card", 0.3), amount: [150, 1200], parties: PARTIES.inPounds, ordered: "GBP" },
  { ...often("card", 0.3), amount: [90, 900], parties: PARTIES.inZlotys, ordered: "PLN" },
  { ...rarely("atmAbroad", 3, 2), amount: [1200, 3900], parties: PARTIES.atmsAbroad, ordered: "EUR" },
  { ...rarely("feeAtm", 3, 2), amount: [125, 125] },
  { ...rarely("cashAdvance", 6, 2), amount: [1000, 2500], step: 10_000, parties: PARTIES.branches },
];

/** An amount blocked on a card, and a payment due the next day. */
const PENDING: readonly Habit[] = [
  { ...often("card", 1), amount: [80, 640], step: 10, parties: PARTIES.groceries },
  { ...often("card", 1), amount: [60, 390], step: 100, parties: PARTIES.online },
  {
    ...often("outgoing", 1),
    amount: [100, 400],
    step: 10_000,
    parties: PARTIES.friends,
    message: "Za lístky do divadla",
  },
];

const BILLS: readonly Habit[] = [
  {
    ...monthly("sipo", 12),
    amount: [780, 820],
    step: 100,
    parties: PARTIES.sipo,
    constantSymbol: "0308",
    variableSymbol: "contract",
  },
  {
    ...monthly("collection", 18),
    amount: [349, 690],
    parties: PARTIES.phone,
    message: "Telefon a internet",
    variableSymbol: "contract",
  },
  {
    ...monthly("standingOrder", 20),
    amount: [1650, 1650],
    parties: PARTIES.energy,
    message: "Záloha elektřina",
    constantSymbol: "0308",
    variableSymbol: "contract",
  },
  {
    ...monthly("standingOrder", 20),
    amount: [500, 500],
    parties: PARTIES.pension,
    message: "Penzijní spoření",
    constantSymbol: "0558",
    variableSymbol: "contract",
  },
];

function salary(parties: Habit["parties"], low: number, high: number): Habit {
  const paid = { ...monthly("incoming", 10), constantSymbol: "0138" } as const;
  return { ...paid, amount: [low, high], step: 100, parties: parties ?? [], message: "Mzda" };
}

function rent(amount: number): Habit {
  const paid = { ...monthly("standingOrder", 15), variableSymbol: "contract" } as const;
  return { ...paid, amount: [amount, amount], parties: PARTIES.landlord, message: "Nájem" };
}

/** The further currencies of an account for travelling, bought from its crowns. */
const TRAVEL: readonly CurrencyPlan[] = [
  {
    currency: "EUR",
    opening: 600,
    habits: [
      { ...often("card", 1), amount: [6, 70], step: 10, parties: PARTIES.inEuros },
      { ...monthly("sepaDebited", 6), amount: [9, 9], parties: PARTIES.euroSubscriptions, purpose: "SUBS" },
      { ...often("sepaInstantOutgoing", 0.5), amount: [10, 90], parties: PARTIES.germanPeople },
      { ...rarely("sepaInstantIncoming", 3, 2), amount: [10, 60], parties: PARTIES.germanPeople },
    ],
    pending: [{ ...often("card", 1), amount: [12, 48], step: 10, parties: PARTIES.inEuros }],
  },
  {
    currency: "USD",
    opening: 350,
    habits: [
      { ...monthly("card", 14), amount: [4, 19], parties: PARTIES.inDollars },
      { ...rarely("cardOther", 6, 2), amount: [4, 9], parties: PARTIES.inDollars },
      { ...monthly("interest", 28), amount: [0.05, 0.4], step: 1 },
    ],
  },
];

const JANA_CURRENT: AccountPlan = {
  key: "current",
  currency: "CZK",
  names: { cs: "Běžný účet", en: "Current account" },
  products: CURRENT,
  opening: 38_000,
  habits: [
    ...EVERYDAY,
    ...BILLS,
    ...ABROAD,
    salary(PARTIES.employer, 46_500, 49_900),
    rent(14_500),
    { ...often("cashback", 1), amount: [600, 2400], step: 1000, parties: PARTIES.groceries },
    { ...rarely("cardOther", 4, 1), amount: [190, 990], parties: PARTIES.shopping },
    { ...rarely("bonus", 3, 2), amount: [40, 180] },
    { ...rarely("exchangeOut", 2), amount: [2200, 3600], exchangedTo: "EUR" },
    { ...rarely("exchangeOut", 4, 3), amount: [1000, 1600], exchangedTo: "USD" },
    { ...monthly("feeCard", 27), amount: [29, 29], undone: { everyMonths: 5, by: [] } },
  ],
  further: TRAVEL,
  pending: PENDING,
};

const PETR_CURRENT: AccountPlan = {
  key: "current",
  currency: "CZK",
  names: { cs: "Běžný účet", en: "Current account" },
  products: CURRENT,
  overdraft: 30_000,
  opening: 4_000,
  habits: [
    ...EVERYDAY,
    ...BILLS,
    salary(PARTIES.secondEmployer, 45_000, 48_000),
    rent(13_900),
    { ...monthly("fee", 28), amount: [49, 49], message: "Vedení kontokorentu" },
    { ...monthly("interestOwed", 28), amount: [12, 96] },
    { ...monthly("loanRepaid", 16), amount: [2890, 2890], message: "Splátka spotřebitelského úvěru" },
    { ...rarely("loanDrawn", 12, 1), amount: [45_000, 45_000], message: "Spotřebitelský úvěr" },
    { ...monthly("feeLoan", 16), amount: [30, 30] },
    { ...rarely("atmDeposit", 2, 1), amount: [1000, 4000], step: 10_000, parties: PARTIES.atms },
    { ...rarely("cashWithdrawal", 6, 3), amount: [2000, 5000], step: 10_000, parties: PARTIES.branches },
    { ...rarely("feeCashWithdrawal", 6, 3), amount: [90, 90] },
    { ...rarely("cheque", 12, 5), amount: [1800, 2600], ordered: "USD" },
    { ...rarely("feeCheque", 12, 5), amount: [200, 200] },
  ],
  pending: PENDING,
};

const PETR_EURO: AccountPlan = {
  key: "euro",
  currency: "EUR",
  names: { cs: "Eurový účet", en: "Euro account" },
  products: IN_FOREIGN_CURRENCY,
  opening: 1_800,
  habits: [
    { ...monthly("sepaIncoming", 5), amount: [180, 420], step: 100, parties: PARTIES.germanPeople },
    { ...often("sepaOutgoing", 0.6), amount: [40, 260], parties: PARTIES.germanPeople },
    { ...often("card", 3), amount: [8, 95], step: 10, parties: PARTIES.abroad },
    { ...monthly("foreignFee", 28), amount: [1, 1] },
    { ...monthly("sepaDebited", 9), amount: [12, 12], parties: PARTIES.euroSubscriptions, purpose: "SUBS" },
    {
      ...rarely("foreignOutgoing", 4, 1),
      amount: [60, 180],
      parties: PARTIES.britishFriends,
      ordered: "GBP",
    },
    { ...rarely("feeForeignOutgoing", 4, 1), amount: [9, 9] },
    { ...rarely("cashWithdrawalForeign", 6, 2), amount: [100, 200], step: 1000, parties: PARTIES.branches },
  ],
};

const MARIE_CURRENT: AccountPlan = {
  key: "current",
  currency: "CZK",
  names: { cs: "Osobní účet", en: "Private account" },
  products: CURRENT,
  opening: 21_000,
  habits: [
    ...EVERYDAY,
    ...BILLS,
    rent(12_300),
    // Soon after the money from the trade, while it lasts.
    {
      ...rarely("cashWithdrawalExchanged", 6, 1),
      amount: [1200, 4000],
      parties: PARTIES.branches,
      ordered: "EUR",
    },
    {
      ...rarely("cashDepositExchanged", 6, 5),
      amount: [500, 1500],
      parties: PARTIES.branches,
      ordered: "EUR",
    },
    { ...rarely("cashElsewhere", 6, 1), amount: [500, 1500], step: 10_000, parties: PARTIES.branches },
    { ...rarely("otherPayment", 6, 2), amount: [100, 300], step: 1000, message: "Poštovní poukázka" },
  ],
  pending: PENDING,
};

const MARIE_TRADE: AccountPlan = {
  key: "trade",
  currency: "CZK",
  names: { cs: "Účet OSVČ – grafický ateliér", en: "Sole trader – graphic studio" },
  products: SOLE_TRADER,
  opening: 52_000,
  habits: [
    {
      ...often("incoming", 5),
      amount: [4_000, 21_000],
      parties: PARTIES.smallCustomers,
      message: "Faktura",
      constantSymbol: "0308",
      variableSymbol: "invoice",
    },
    {
      ...often("outgoing", 3),
      amount: [600, 4_800],
      step: 100,
      parties: PARTIES.wholesalers,
      variableSymbol: "invoice",
    },
    { ...monthly("outgoing", 3), amount: [39_000, 45_000], step: 10_000, ownAccount: "current" },
    { ...monthly("standingOrder", 8), amount: [3_852, 3_852], parties: PARTIES.socialSecurity },
    { ...monthly("standingOrder", 8), amount: [2_968, 2_968], parties: PARTIES.healthInsurance },
    { ...monthly("fee", 28), amount: [129, 129] },
    { ...monthly("feeOutgoing", 28), amount: [6, 24], step: 600 },
    { ...monthly("feeIncoming", 28), amount: [6, 30], step: 600 },
    { ...monthly("feeStandingOrder", 28), amount: [12, 12] },
  ],
};

const HANA_CURRENT: AccountPlan = {
  key: "current",
  currency: "CZK",
  names: { cs: "Můj účet", en: "My account" },
  products: CURRENT,
  opening: 9_500,
  habits: [...EVERYDAY, salary(PARTIES.secondEmployer, 33_000, 35_000), rent(9_800)],
  pending: PENDING,
};

/** The PSU who has no authenticator app yet. */
export const NEWCOMER = "hana";

/** Table of the demo bank's private PSUs. */
export const PERSON_PLANS: readonly PsuPlan[] = [
  {
    username: "jana",
    displayName: "Jana Horáková",
    segment: "personal",
    holder: "Jana Horáková",
    accounts: [JANA_CURRENT],
  },
  {
    username: "petr",
    displayName: "Petr Dvořák",
    segment: "personal",
    holder: "Petr Dvořák",
    accounts: [PETR_CURRENT, PETR_EURO],
  },
  {
    username: "marie",
    displayName: "Marie Procházková",
    segment: "personal",
    holder: "Marie Procházková",
    accounts: [MARIE_CURRENT, MARIE_TRADE],
  },
  {
    username: NEWCOMER,
    displayName: "Hana Nová",
    segment: "personal",
    holder: "Hana Nová",
    accounts: [HANA_CURRENT],
  },
];
