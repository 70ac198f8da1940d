import type { AccountPlan, DemoCurrency, Habit, PsuPlan } from "./account-plan.ts";
import { PARTIES } from "./parties.ts";

const PRODUCTS = {
  CZK: { cs: "Firemní konto", en: "Business account" },
  EUR: { cs: "Firemní konto EUR", en: "Business account EUR" },
  USD: { cs: "Firemní konto USD", en: "Business account USD" },
};

const SHOPS = [
  ["Praha", "Prague"],
  ["Brno", "Brno"],
  ["Ostrava", "Ostrava"],
  ["Plzeň", "Pilsen"],
  ["Liberec", "Liberec"],
  ["Olomouc", "Olomouc"],
] as const;

const CARD_ACCOUNTS = [
  ["sklad", "warehouse"],
  ["montáž", "assembly"],
  ["doprava", "transport"],
  ["vedení", "management"],
] as const;

const EURO_SHOPS = [
  ["Německo", "Germany"],
  ["Rakousko", "Austria"],
  ["Slovensko", "Slovakia"],
] as const;

const FEE: Habit = { kind: "fee", when: { monthlyOn: 28 }, amount: [99, 99], message: "Vedení účtu" };
const FOREIGN_FEE: Habit = {
  kind: "foreignFee",
  when: { monthlyOn: 28 },
  amount: [5, 5],
  message: "Vedení účtu",
};

function plan(
  key: string,
  [cs, en]: readonly [string, string],
  opening: number,
  habits: readonly Habit[],
): AccountPlan {
  return planIn("CZK", { key, cs, en, opening, habits: [...habits, FEE] });
}

function planIn(
  currency: DemoCurrency,
  {
    key,
    cs,
    en,
    opening,
    habits,
  }: { key: string; cs: string; en: string; opening: number; habits: readonly Habit[] },
): AccountPlan {
  return { key, currency, names: { cs, en }, products: PRODUCTS[currency], opening, habits };
}

const OPERATING = plan("operating", ["Provozní účet", "Operating account"], 2_400_000, [
  {
    kind: "incoming",
    when: { timesPerMonth: 40 },
    amount: [9_000, 90_000],
    parties: PARTIES.companyCustomers,
    message: "Úhrada faktury",
    constantSymbol: "0308",
    variableSymbol: "invoice",
  },
  {
    kind: "outgoing",
    when: { timesPerMonth: 45 },
    amount: [1_500, 80_000],
    parties: PARTIES.wholesalers,
    constantSymbol: "0008",
    variableSymbol: "invoice",
  },
  { kind: "outgoing", when: { monthlyOn: 7 }, amount: [320_000, 345_000], ownAccount: "payroll" },
  { kind: "outgoing", when: { monthlyOn: 22 }, amount: [180_000, 260_000], ownAccount: "tax" },
  { kind: "standingOrder", when: { monthlyOn: 1 }, amount: [64_000, 64_000], parties: PARTIES.landlord },
  { kind: "standingOrder", when: { monthlyOn: 5 }, amount: [7_350, 7_350], parties: PARTIES.insurance },
  ...CARD_ACCOUNTS.map(
    ([cs]): Habit => ({
      kind: "outgoing",
      when: { monthlyOn: 2 },
      amount: [18_000, 22_000],
      ownAccount: `card ${cs}`,
    }),
  ),
]);

const PAYROLL = plan("payroll", ["Mzdový účet", "Payroll account"], 60_000, [
  ...PARTIES.staff.map(
    (person): Habit => ({
      kind: "outgoing",
      when: { monthlyOn: 10 },
      amount: [38_000, 54_000],
      step: 100,
      parties: [person],
      message: "Mzda",
      constantSymbol: "0138",
    }),
  ),
  { kind: "outgoing", when: { monthlyOn: 15 }, amount: [58_000, 66_000], parties: PARTIES.socialSecurity },
  { kind: "outgoing", when: { monthlyOn: 15 }, amount: [26_000, 30_000], parties: PARTIES.healthInsurance },
]);

const TAX = plan("tax", ["Daňová rezerva", "Tax reserve"], 150_000, [
  {
    kind: "outgoing",
    when: { monthlyOn: 25 },
    amount: [160_000, 240_000],
    parties: PARTIES.taxOffice,
    message: "DPH",
    constantSymbol: "1148",
    variableSymbol: "contract",
  },
]);

const DEPOSITS = plan("deposits", ["Kauce a zálohy", "Deposits"], 400_000, [
  { kind: "interest", when: { monthlyOn: 28 }, amount: [300, 900], step: 1 },
]);

function cardAccount([cs, en]: readonly [string, string]): AccountPlan {
  const shopping: Habit = { kind: "card", when: { timesPerMonth: 14 }, amount: [200, 2_200], step: 10 };
  return plan(`card ${cs}`, [`Karty - ${cs}`, `Cards - ${en}`], 15_000, [
    { ...shopping, parties: PARTIES.travel },
    { ...shopping, when: { timesPerMonth: 4 }, parties: PARTIES.shopping },
  ]);
}

function shop([cs, en]: readonly [string, string]): AccountPlan {
  return plan(`shop ${en}`, [`Prodejna ${cs}`, `Shop ${en}`], 40_000, [
    { kind: "cashDeposit", when: { timesPerMonth: 8 }, amount: [4_000, 26_000], step: 10_000 },
    { kind: "incoming", when: { timesPerMonth: 8 }, amount: [900, 12_000], parties: PARTIES.smallCustomers },
    { kind: "outgoing", when: { monthlyOn: 6 }, amount: [110_000, 170_000], ownAccount: "operating" },
  ]);
}

function project(number: number): AccountPlan {
  const name = String(number).padStart(2, "0");
  const invoice = { constantSymbol: "0308", variableSymbol: "invoice" } as const;
  return plan(`project ${name}`, [`Zakázka ${name}`, `Project ${name}`], 90_000, [
    {
      kind: "incoming",
      when: { timesPerMonth: 3 },
      amount: [9_000, 46_000],
      parties: PARTIES.companyCustomers,
      ...invoice,
    },
    {
      kind: "outgoing",
      when: { timesPerMonth: 6 },
      amount: [1_200, 21_000],
      parties: PARTIES.wholesalers,
      ...invoice,
    },
  ]);
}

function euroShop([cs, en]: readonly [string, string]): AccountPlan {
  const habits: readonly Habit[] = [
    {
      kind: "sepaIncoming",
      when: { timesPerMonth: 14 },
      amount: [35, 900],
      step: 10,
      parties: PARTIES.euroCustomers,
    },
    {
      kind: "sepaOutgoing",
      when: { timesPerMonth: 2 },
      amount: [300, 4_800],
      parties: PARTIES.euroSuppliers,
    },
    FOREIGN_FEE,
  ];
  return planIn("EUR", {
    key: `shop ${en}`,
    cs: `E-shop ${cs}`,
    en: `Online shop ${en}`,
    opening: 2_500,
    habits,
  });
}

const EURO: readonly AccountPlan[] = [
  planIn("EUR", {
    key: "euro",
    cs: "Eurový účet",
    en: "Euro account",
    opening: 48_000,
    habits: [
      {
        kind: "sepaIncoming",
        when: { timesPerMonth: 5 },
        amount: [900, 7_500],
        parties: PARTIES.euroCustomers,
      },
      { kind: "outgoing", when: { monthlyOn: 11 }, amount: [14_000, 19_000], ownAccount: "euro suppliers" },
      FOREIGN_FEE,
    ],
  }),
  planIn("EUR", {
    key: "euro suppliers",
    cs: "Dodavatelé EUR",
    en: "Suppliers EUR",
    opening: 6_000,
    habits: [
      {
        kind: "sepaOutgoing",
        when: { timesPerMonth: 7 },
        amount: [800, 3_600],
        parties: PARTIES.euroSuppliers,
      },
      FOREIGN_FEE,
    ],
  }),
];

const DOLLAR: readonly AccountPlan[] = [
  planIn("USD", {
    key: "dollar",
    cs: "Dolarový účet",
    en: "Dollar account",
    opening: 22_000,
    habits: [
      {
        kind: "foreignIncoming",
        when: { timesPerMonth: 3 },
        amount: [2_000, 9_000],
        parties: PARTIES.dollarCustomers,
      },
      {
        kind: "foreignOutgoing",
        when: { timesPerMonth: 2 },
        amount: [1_500, 7_000],
        parties: PARTIES.dollarSuppliers,
      },
      FOREIGN_FEE,
    ],
  }),
  planIn("USD", {
    key: "dollar reserve",
    cs: "Rezerva USD",
    en: "Reserve USD",
    opening: 65_000,
    habits: [{ kind: "interest", when: { monthlyOn: 28 }, amount: [12, 60], step: 1 }],
  }),
  planIn("USD", {
    key: "shop USA",
    cs: "E-shop USA",
    en: "Online shop USA",
    opening: 1_200,
    habits: [
      {
        kind: "foreignIncoming",
        when: { timesPerMonth: 6 },
        amount: [40, 800],
        parties: PARTIES.dollarCustomers,
      },
      FOREIGN_FEE,
    ],
  }),
];

/** The demo bank's company, whose accounts need more than one page of thirty. */
export const COMPANY_PLAN: PsuPlan = {
  username: "firma",
  displayName: "Tomáš Kolář (Severní dílna s.r.o.)",
  segment: "business",
  holder: "Severní dílna s.r.o.",
  accounts: [
    OPERATING,
    PAYROLL,
    TAX,
    DEPOSITS,
    ...CARD_ACCOUNTS.map(cardAccount),
    ...SHOPS.map(shop),
    ...Array.from({ length: 12 }, (_, index) => project(index + 1)),
    ...EURO,
    ...EURO_SHOPS.map(euroShop),
    ...DOLLAR,
  ],
};
