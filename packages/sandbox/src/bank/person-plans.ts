import type { AccountPlan, Habit, PsuPlan } from "./account-plan.ts";
import { monthly, often } from "./habit-beginnings.ts";
import { PARTIES } from "./parties.ts";

const CURRENT = { cs: "Osobní konto", en: "Personal account" };
const CURRENT_EUR = { cs: "Osobní konto EUR", en: "Personal account EUR" };
const SOLE_TRADER = { cs: "Podnikatelské konto", en: "Sole trader account" };

/** What nearly everybody does with a personal account in CZK. */
const EVERYDAY: readonly Habit[] = [
  { ...often("card", 16), amount: [60, 1400], step: 10, parties: PARTIES.groceries },
  { ...often("card", 8), amount: [75, 650], step: 100, parties: PARTIES.eatingOut },
  { ...often("card", 5), amount: [150, 2600], step: 100, parties: PARTIES.shopping },
  { ...often("card", 6), amount: [30, 1300], step: 100, parties: PARTIES.travel },
  { ...often("atm", 2), amount: [500, 3000], step: 50_000, parties: PARTIES.atms },
  { ...often("outgoing", 2), amount: [100, 1500], step: 1000, parties: PARTIES.friends },
  { ...often("incoming", 1), amount: [100, 900], step: 1000, parties: PARTIES.friends },
  { ...monthly("interest", 28), amount: [1, 9], step: 1 },
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

const JANA_CURRENT: AccountPlan = {
  key: "current",
  currency: "CZK",
  names: { cs: "Běžný účet", en: "Current account" },
  products: CURRENT,
  opening: 38_000,
  habits: [...EVERYDAY, ...BILLS, salary(PARTIES.employer, 46_500, 49_900), rent(14_500)],
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
  ],
};

const PETR_EURO: AccountPlan = {
  key: "euro",
  currency: "EUR",
  names: { cs: "Eurový účet", en: "Euro account" },
  products: CURRENT_EUR,
  opening: 1_800,
  habits: [
    { ...monthly("sepaIncoming", 5), amount: [180, 420], step: 100, parties: PARTIES.germanPeople },
    { ...often("sepaOutgoing", 0.6), amount: [40, 260], parties: PARTIES.germanPeople },
    { ...often("card", 3), amount: [8, 95], step: 10, parties: PARTIES.abroad },
    { ...monthly("foreignFee", 28), amount: [1, 1], message: "Cena za vedení účtu" },
  ],
};

const MARIE_CURRENT: AccountPlan = {
  key: "current",
  currency: "CZK",
  names: { cs: "Osobní účet", en: "Private account" },
  products: CURRENT,
  opening: 21_000,
  habits: [...EVERYDAY, ...BILLS, rent(12_300)],
};

const MARIE_TRADE: AccountPlan = {
  key: "trade",
  currency: "CZK",
  names: { cs: "Účet OSVČ - grafický ateliér", en: "Sole trader - graphic studio" },
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
    { ...monthly("fee", 28), amount: [129, 129], message: "Vedení účtu" },
  ],
};

const HANA_CURRENT: AccountPlan = {
  key: "current",
  currency: "CZK",
  names: { cs: "Můj účet", en: "My account" },
  products: CURRENT,
  opening: 9_500,
  habits: [...EVERYDAY, salary(PARTIES.secondEmployer, 33_000, 35_000), rent(9_800)],
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
